import { type AskedFill, chainOffer, type Fill, type KeptSend, promptOffer } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import { api } from '../../../lib/api.ts'
import { toFill } from '../../fills/fills-field.tsx'
import { toKeptSend } from '../../fills/kept-sends-field.tsx'
import type { UnsentSend } from '../../fills/send-text.ts'

/** Another's chain or prompt, which tokens for all of them reach once it is accepted. */
export interface Offer {
  id: number
  name: string
  description: string
  owner: string
  ownerIsAdmin: boolean
  via: 'share' | 'public'
  acceptedAt: string | null
  fills: Fill[] | null
  asksToFill: AskedFill[]
  sends: KeptSend[] | null
  asksToSend: UnsentSend[]
}

export type OfferKind = 'chain' | 'prompt'

const ROOTS = { chain: ['chain-offers'], prompt: ['prompt-offers'] } as const

export function offersQuery(kind: OfferKind) {
  return queryOptions({
    queryKey: ROOTS[kind],
    queryFn: ({ signal }): Promise<Offer[]> =>
      kind === 'chain'
        ? api('GET /api/chain-offers', { list: chainOffer, signal }).then((all) => all.map(ofChain))
        : api('GET /api/prompt-offers', { list: promptOffer, signal }).then((all) => all.map(ofPrompt)),
    // Others share what they like, when they like.
    staleTime: 0,
  })
}

function ofChain({ chainId, chainName, ...offer }: z.infer<typeof chainOffer>): Offer {
  return { ...offer, id: chainId, name: chainName }
}

function ofPrompt({ promptId, promptTitle, isSkill, ...offer }: z.infer<typeof promptOffer>): Offer {
  return {
    ...offer,
    id: promptId,
    name: promptTitle,
    description: isSkill ? 'A skill' : '',
    sends: null,
    asksToSend: [],
  }
}

export function useAcceptOffer(kind: OfferKind) {
  return useOfferWrite(kind, ({ id, fills, asksToFill, sends, asksToSend }: Offer) => {
    const shown = [...(fills ?? []), ...asksToFill].map(toFill)
    // Nowhere at first: where they may go is allowed once the chain is accepted.
    const allowed = sends && { sends: [...sends, ...asksToSend].map(toKeptSend) }
    return kind === 'chain'
      ? api('POST /api/chain-acceptances', { body: { chainIds: [id], fills: shown, ...allowed } })
      : api('POST /api/prompt-acceptances', { body: { promptIds: [id], fills: shown } })
  })
}

export function useRemoveOffer(kind: OfferKind) {
  return useOfferWrite(kind, (id: number) =>
    api(kind === 'chain' ? 'DELETE /api/chain-acceptances/{id}' : 'DELETE /api/prompt-acceptances/{id}', {
      params: { id },
    }),
  )
}

/** Done once the list shows it: until then a button would offer what was done. */
function useOfferWrite<Input>(kind: OfferKind, mutationFn: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['tokens'] })
      await queryClient.invalidateQueries({ queryKey: ROOTS[kind] })
    },
    meta: { failure: false },
  })
}
