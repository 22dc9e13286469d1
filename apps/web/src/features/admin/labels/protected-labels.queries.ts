import { type ProtectedLabel, protectedLabelList } from '@catenary/contracts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

export const protectedLabelsQuery = queryOptions({
  queryKey: ['admin', 'protected-labels'],
  queryFn: ({ signal }) => api('GET /api/admin/protected-labels', { reply: protectedLabelList, signal }),
  gcTime: 0,
})

export function useProtectLabel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ label, ...body }: ProtectedLabel) =>
      api('PUT /api/admin/protected-labels/{label}', { params: { label }, body, reply: protectedLabelList }),
    onSuccess: (labels) => queryClient.setQueryData(protectedLabelsQuery.queryKey, labels),
    meta: { failure: false },
  })
}

export function useUnprotectLabel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (label: string) => api('DELETE /api/admin/protected-labels/{label}', { params: { label } }),
    onSettled: () => refresh(queryClient),
    meta: { failure: 'Failed to remove the protection' },
  })
}

function refresh(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: protectedLabelsQuery.queryKey })
}
