import { hookDelivery, ownToken, seenRun } from '@catenary/contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, apiPage } from '../../../lib/api.ts'

const PAGE = 20

/** The person's own addresses. */
export const ownHooksQuery = queryOptions({
  queryKey: ['tokens', 'hooks'],
  queryFn: ({ signal }) =>
    api('GET /api/own-tokens', { query: { tokenType: 'hook' }, list: ownToken, signal }),
  staleTime: 0,
})

export function deliveriesQuery(tokenId: number) {
  return infiniteQueryOptions({
    queryKey: ['tokens', 'deliveries', tokenId],
    queryFn: ({ pageParam, signal }) =>
      apiPage('GET /api/own-tokens/{id}/deliveries', {
        params: { id: tokenId },
        query: { limit: PAGE },
        cursor: pageParam,
        list: hookDelivery,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
}

export function startedRunQuery(id: number) {
  return queryOptions({
    queryKey: ['tokens', 'started', id],
    queryFn: ({ signal }) => api('GET /api/executions/{id}', { params: { id }, reply: seenRun, signal }),
    staleTime: 0,
  })
}
