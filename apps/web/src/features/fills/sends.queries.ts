import { foundFills } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** Where the person's private values would go in a run of the chain. */
export function sendsQuery(chainId: number) {
  return queryOptions({
    queryKey: ['fills', 'sends', chainId],
    queryFn: async ({ signal }) => {
      const { sends } = await api('POST /api/private-names', {
        body: { chainIds: [chainId] },
        reply: foundFills,
        signal,
      })
      return sends
    },
    staleTime: 0,
  })
}
