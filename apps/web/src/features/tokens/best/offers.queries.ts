import { type AcceptChainsRequest, chainOffer } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../../lib/api-client.ts'

const ROOT = ['chain-offers'] as const

/** Others' chains, newest first: those that one accepted, and those that are only offered. */
export const chainOffersQuery = queryOptions({
  queryKey: ROOT,
  queryFn: ({ signal }) => readAll({ path: '/api/chain-offers', schema: chainOffer, signal }),
  // Others share what they like, when they like.
  staleTime: 0,
})

/** Accepts others' chains for all of one's tokens. The caller tells the person about a failure. */
export function useAcceptChains() {
  return useOfferWrite((chainIds: AcceptChainsRequest['chainIds']) =>
    write({ method: 'POST', path: '/api/chain-acceptances', body: { chainIds } }),
  )
}

/** The caller tells the person about a failure. */
export function useRemoveChain() {
  return useOfferWrite((chainId: number) =>
    write({ method: 'DELETE', path: `/api/chain-acceptances/${chainId}` }),
  )
}

/** Done once the list shows it: until then a button would offer what was done. */
function useOfferWrite<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['tokens'] })
      await queryClient.invalidateQueries({ queryKey: ROOT })
    },
    meta: { failure: false },
  })
}
