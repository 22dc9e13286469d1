import { type ChainVersion, chain, chainVersion, listedChainVersion } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, readAll, write } from '../../../lib/api-client.ts'

const ROOT = ['chains'] as const
const pathOf = (chainId: number) => `/api/chains/${chainId}/versions`

/** A chain's versions, newest first; fetched each time, as others may save too. */
export function chainVersionsQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', chainId],
    queryFn: ({ signal }) => readAll({ path: pathOf(chainId), schema: listedChainVersion, signal }),
    gcTime: 0,
  })
}

/** One version of a chain with its steps. */
export function chainVersionQuery({ chainId, number }: { chainId: number; number: number }) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', chainId, number],
    queryFn: ({ signal }): Promise<ChainVersion> =>
      read({ path: `${pathOf(chainId)}/${number}`, schema: chainVersion, signal }),
  })
}

/** Saves an older version's steps and settings as a new version. The caller tells the person about a failure. */
export function useRestoreChain(chainId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ number, revision }: { number: number; revision: number }) =>
      write({
        method: 'POST',
        path: `${pathOf(chainId)}/${number}/restore`,
        body: { revision },
        schema: chain,
      }),
    // A refused one means that there are versions which the list doesn't show.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
