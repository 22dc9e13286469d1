import { handOver, type KeptRight, type OwnedKind, recordOwner } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const ROOT = ['hand-overs'] as const
/** How long a list is fresh enough for whoever comes back to the page. */
const LIST_AGE_MS = 60_000

const CALLS = {
  prompt: {
    read: 'GET /api/prompts/{id}/owner',
    offer: 'POST /api/prompts/{id}/owner',
    end: 'DELETE /api/prompts/{id}/owner',
    accept: 'POST /api/prompts/{id}/owner/accept',
  },
  chain: {
    read: 'GET /api/chains/{id}/owner',
    offer: 'POST /api/chains/{id}/owner',
    end: 'DELETE /api/chains/{id}/owner',
    accept: 'POST /api/chains/{id}/owner/accept',
  },
  variable: {
    read: 'GET /api/variables/{id}/owner',
    offer: 'POST /api/variables/{id}/owner',
    end: 'DELETE /api/variables/{id}/owner',
    accept: 'POST /api/variables/{id}/owner/accept',
  },
} as const

export interface OwnedId {
  kind: OwnedKind
  id: number
}

/** What is offered to one, and what one offers, newest first. Offers come from others, so it is read again with each visit. */
export const handOversQuery = queryOptions({
  queryKey: [...ROOT, 'list'],
  queryFn: ({ signal }) => api('GET /api/hand-overs', { list: handOver, signal }),
  staleTime: LIST_AGE_MS,
  refetchOnWindowFocus: true,
})

export function ownerQuery({ kind, id }: OwnedId) {
  return queryOptions({
    queryKey: [...ROOT, 'of', kind, id],
    queryFn: ({ signal }) => api(CALLS[kind].read, { params: { id }, reply: recordOwner, signal }),
    gcTime: 0,
  })
}

export function useOffer({ kind, id }: OwnedId) {
  return useAnsweringWrite((body: { username: string; keep: KeptRight }) =>
    api(CALLS[kind].offer, { params: { id }, body, reply: recordOwner }),
  )
}

/** The owner takes the offer back, or the person to whom it is made declines it. */
export function useEndOffer() {
  return useAnsweringWrite(({ kind, id }: OwnedId) => api(CALLS[kind].end, { params: { id } }))
}

export function useAcceptOffer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, id }: OwnedId) => api(CALLS[kind].accept, { params: { id }, reply: recordOwner }),
    // What one owns decides what one sees of everything; a refused offer is perhaps gone.
    onSuccess: async (_owner, { kind }) => {
      void queryClient.invalidateQueries()
      // It opens next, as its owner sees it.
      await queryClient.invalidateQueries({ queryKey: [`${kind}s`] }, { cancelRefetch: false })
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}

/** A refused one may mean that the offer was answered meanwhile. */
function useAnsweringWrite<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
