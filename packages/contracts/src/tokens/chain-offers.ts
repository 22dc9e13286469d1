import * as z from 'zod'
import { id, timestamp } from '../common.ts'
import { askedFills, chosenFills, fills } from '../fills.ts'

const ACCEPTED_AT_ONCE_MAX = 1_000

/** GET /api/chain-offers: others' chains that the caller can see. Tokens for all chains reach those that are accepted. */
export const chainOffer = z.object({
  chainId: id,
  chainName: z.string().describe('Current name.'),
  description: z.string().describe('Its first 500 characters.'),
  owner: z.string().describe('Username of the chain’s owner.'),
  ownerIsAdmin: z.boolean().describe('Its owner is an administrator.'),
  via: z
    .enum(['share', 'public'])
    .describe('share: its owner shares it with the caller by name; public: everyone can see it.'),
  acceptedAt: timestamp.nullable().describe('null: only offered, so tokens for all chains do not reach it.'),
  fills: fills
    .nullable()
    .describe('What the acceptance lets its text be filled with (D69); null: it is not accepted.'),
  asksToFill: askedFills.describe(
    'Private names that its texts hold and `fills` does not; of an offer, what accepting it would list.',
  ),
})
export type ChainOffer = z.infer<typeof chainOffer>

/** POST /api/chain-acceptances: one's tokens for all chains reach those too from now on. */
export const acceptChainsRequest = z.strictObject({
  chainIds: z
    .array(id)
    .min(1, 'Name at least one chain')
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe('Other people’s chains that the caller can see; all are accepted, or none.'),
  fills: chosenFills.describe(
    'Private names that may be filled in, each in its record (D69); accepting again replaces those. Default: those that the texts hold now.',
  ),
})
export type AcceptChainsRequest = z.infer<typeof acceptChainsRequest>
