import { type Rating, type RunRatings, runRatings } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiSend } from '../../../lib/api.ts'

/** What all lists and readings of runs begin with. */
const RUNS = ['executions'] as const

export function ratingsQuery(executionId: number) {
  const params = { id: executionId }
  return queryOptions({
    queryKey: [...RUNS, 'ratings', executionId],
    queryFn: ({ signal }) => api('GET /api/executions/{id}/ratings', { params, reply: runRatings, signal }),
  })
}

export function useRate(executionId: number) {
  const queryClient = useQueryClient()
  const { queryKey } = ratingsQuery(executionId)
  const params = { id: executionId }
  const show = (own: Rating | null) =>
    queryClient.setQueryData<RunRatings>(queryKey, (known) => ({ others: [], ...known, own }))
  return useMutation({
    mutationFn: (rating: Rating | null) =>
      rating
        ? apiSend('PUT /api/executions/{id}/rating', { params, body: rating })
        : apiSend('DELETE /api/executions/{id}/rating', { params }),
    onMutate: async (rating) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<RunRatings>(queryKey)?.own ?? null
      show(rating)
      return { before }
    },
    onError: (_error, _rating, context) => show(context?.before ?? null),
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: RUNS,
        predicate: ({ queryKey }) => queryKey[1] !== 'ratings' && queryKey[2] !== 'run',
      }),
    meta: { failure: 'The rating could not be saved' },
  })
}
