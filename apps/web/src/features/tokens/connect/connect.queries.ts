import { mcpTokenSees, promptFetch } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../../lib/api-client.ts'
import { listQuery } from '../../../lib/lists.ts'

const FETCHES_PAGE = 20

/** Who fetched which version, through a token or any of one's own; the last one first. */
export function fetchesQuery(tokenId: number | null) {
  const query = new URLSearchParams({ limit: String(FETCHES_PAGE) })
  if (tokenId !== null) query.set('tokenId', String(tokenId))
  return {
    ...listQuery({
      queryKey: ['tokens', 'fetches', tokenId],
      path: `/api/fetches?${query}`,
      schema: promptFetch,
    }),
    // Programs fetch without an action of this page.
    staleTime: 0,
  }
}

/** What a client that connects with a token for agents lists now. */
export function seesQuery(tokenId: number) {
  return queryOptions({
    queryKey: ['tokens', 'sees', tokenId],
    queryFn: ({ signal }) => read({ path: `/api/mcp-tokens/${tokenId}/sees`, schema: mcpTokenSees, signal }),
    // Others share, and labels move, when they like.
    staleTime: 0,
  })
}
