import { examplesState, madeExamples, removedExamples } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: ({ signal }) => api('GET /api/examples', { reply: examplesState, signal }),
})

export function useMakeExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('POST /api/examples', { reply: madeExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Couldn’t add the examples' },
  })
}

export function useRemoveExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/examples', { reply: removedExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Failed to remove the examples' },
  })
}
