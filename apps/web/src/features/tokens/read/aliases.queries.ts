import { promptAliasList } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const CALLS = {
  give: 'PUT /api/prompts/{id}/aliases/{alias}',
  take: 'DELETE /api/prompts/{id}/aliases/{alias}',
} as const

export function aliasesQuery(promptId: number) {
  return queryOptions({
    queryKey: ['aliases', promptId],
    queryFn: ({ signal }) =>
      api('GET /api/prompts/{id}/aliases', { params: { id: promptId }, reply: promptAliasList, signal }),
  })
}

export function useChangeAlias(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ change, alias }: { change: keyof typeof CALLS; alias: string }) =>
      api(CALLS[change], { params: { id: promptId, alias }, reply: promptAliasList }),
    onSuccess: (saved) => queryClient.setQueryData(aliasesQuery(promptId).queryKey, saved),
  })
}
