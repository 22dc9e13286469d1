import { type ProtectedLabel, protectedLabel } from '@catenary/contracts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../../lib/api-client.ts'

const PATH = '/api/admin/protected-labels'
const schema = z.array(protectedLabel)

/** Labels that not every editor moves. */
export const protectedLabelsQuery = queryOptions({
  queryKey: ['admin', 'protected-labels'],
  queryFn: ({ signal }) => read({ path: PATH, schema, signal }),
  gcTime: 0,
})

/** Protects a label, or changes its protection. The caller tells the person about a failure. */
export function useProtectLabel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ label, ...body }: ProtectedLabel) =>
      write({ method: 'PUT', path: pathOf(label), body, schema }),
    onSuccess: (labels) => queryClient.setQueryData(protectedLabelsQuery.queryKey, labels),
    meta: { failure: false },
  })
}

/** Lets every editor move a label again. */
export function useUnprotectLabel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (label: string) => write({ method: 'DELETE', path: pathOf(label) }),
    onSettled: () => refresh(queryClient),
    meta: { failure: 'Failed to remove the protection' },
  })
}

const pathOf = (label: string) => `${PATH}/${encodeURIComponent(label)}`

function refresh(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: protectedLabelsQuery.queryKey })
}
