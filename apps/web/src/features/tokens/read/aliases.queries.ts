import { promptAlias } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../../lib/api-client.ts'

const aliases = z.array(promptAlias)

/** The names under which code from elsewhere asks for a prompt; for its editors. */
export function aliasesQuery(promptId: number) {
  return queryOptions({
    queryKey: ['aliases', promptId],
    queryFn: ({ signal }) => read({ path: `/api/prompts/${promptId}/aliases`, schema: aliases, signal }),
  })
}

/** Gives an alias or takes it; the query client tells of a failure. */
export function useChangeAlias(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ method, alias }: { method: 'PUT' | 'DELETE'; alias: string }) =>
      write({
        method,
        path: `/api/prompts/${promptId}/aliases/${encodeURIComponent(alias)}`,
        schema: aliases,
      }),
    onSuccess: (saved) => queryClient.setQueryData(aliasesQuery(promptId).queryKey, saved),
  })
}
