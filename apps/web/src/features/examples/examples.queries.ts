import { examplesState, madeExamples, removedExamples } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** What examples there are, and what of them this person has. */
export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: ({ signal }) => api('GET /api/examples', { reply: examplesState, signal }),
})

/** Makes all of them; every list shows more. */
export function useMakeExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('POST /api/examples', { reply: madeExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Failed to make the examples' },
  })
}

/** Removes those that are as they were made; every list shows less. */
export function useRemoveExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/examples', { reply: removedExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Failed to remove the examples' },
  })
}
