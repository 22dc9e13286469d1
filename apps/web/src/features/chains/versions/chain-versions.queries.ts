import { type ChainVersion, chain, chainVersion, listedChainVersion } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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

export function useRestoreChain(chainId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ number, revision }: { number: number; revision: number }) =>
      api('POST /api/chains/{id}/versions/{number}/restore', {
        params: { id: chainId, number },
        body: { revision },
        reply: chain,
      }),
    // A refused one means that there are versions which the list doesn't show.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
