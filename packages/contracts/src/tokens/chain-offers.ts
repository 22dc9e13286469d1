import * as z from 'zod'
import { id, timestamp } from '../common.ts'

const ACCEPTED_AT_ONCE_MAX = 1_000

/** GET /api/chain-offers: others' chains that the caller can see. Tokens for all chains reach those that are accepted. */
export const chainOffer = z.object({
  chainId: id,
  chainName: z.string().describe('As it is now.'),
  description: z.string().describe('Its first 500 characters.'),
  owner: z.string().describe('Username of whose chain it is.'),
  ownerIsAdmin: z.boolean().describe('Its owner is an administrator.'),
  via: z
    .enum(['share', 'public'])
    .describe('share: its owner shares it with the caller by name; public: with everyone.'),
  acceptedAt: timestamp
    .nullable()
    .describe('null: it is only offered, and no token for all chains reaches it.'),
})
export type ChainOffer = z.infer<typeof chainOffer>

/** POST /api/chain-acceptances: one's tokens for all chains reach those too from now on. */
export const acceptChainsRequest = z.strictObject({
  chainIds: z
    .array(id)
    .min(1, 'Name at least one chain')
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe("Others' chains that the caller can see; all of them are accepted, or none."),
})
export type AcceptChainsRequest = z.infer<typeof acceptChainsRequest>
