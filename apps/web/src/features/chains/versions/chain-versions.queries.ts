import { type ChainVersion, chainVersion, listedChainVersion } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const ROOT = ['chains'] as const

export function chainVersionsQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', chainId],
    queryFn: ({ signal }) =>
      api('GET /api/chains/{id}/versions', { params: { id: chainId }, list: listedChainVersion, signal }),
    gcTime: 0,
  })
}

export function chainVersionQuery({ chainId, number }: { chainId: number; number: number }) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', chainId, number],
    queryFn: ({ signal }): Promise<ChainVersion> =>
      api('GET /api/chains/{id}/versions/{number}', {
        params: { id: chainId, number },
        reply: chainVersion,
        signal,
      }),
  })
}
