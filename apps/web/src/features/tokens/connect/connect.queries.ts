import { mcpTokenSees, promptFetch } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { apiList } from '../../../lib/lists.ts'

const FETCHES_PAGE = 20

export function fetchesQuery(tokenId: number | null) {
  return {
    ...apiList('GET /api/fetches', {
      queryKey: ['tokens', 'fetches', tokenId],
      query: { limit: FETCHES_PAGE, tokenId: tokenId ?? undefined },
      list: promptFetch,
    }),
    // Programs fetch without an action of this page.
    staleTime: 0,
  }
}

export function seesQuery(tokenId: number) {
  return queryOptions({
    queryKey: ['tokens', 'sees', tokenId],
    queryFn: ({ signal }) =>
      api('GET /api/mcp-tokens/{id}/sees', { params: { id: tokenId }, reply: mcpTokenSees, signal }),
    // Others share, and labels move, when they like.
    staleTime: 0,
  })
}
