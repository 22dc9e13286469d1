import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { askedFills, chosenFills, fills } from '../fills.ts'
import { listQuery } from '../lists.ts'

const ACCEPTED_AT_ONCE_MAX = 1_000

/** Another's chain that the caller can see. Tokens for all chains reach those that are accepted. */
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

const acceptChainsRequest = z.strictObject({
  chainIds: z
    .array(id)
    .min(1, 'Name at least one chain')
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe('Other people’s chains that the caller can see; all are accepted, or none.'),
  fills: chosenFills.describe(
    'Private names that may be filled in, each in its record (D69); accepting again replaces those. Default: those that the texts hold now.',
  ),
})

export const chainOffersApi = defineApi('tokens', {
  'GET /api/chain-offers': {
    who: 'user',
    summary: "Others' chains that your tokens for all chains reach, or could once you accept them",
    query: listQuery,
    list: chainOffer,
    errors: [401],
  },
  'POST /api/chain-acceptances': {
    who: 'user',
    summary: "Accept others' chains: your tokens for all chains reach them from now on",
    description:
      'A chain that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.',
    body: acceptChainsRequest,
    errors: [404],
  },
  'DELETE /api/chain-acceptances/{id}': {
    who: 'user',
    summary: 'Stop accepting a chain, by the id of the chain',
    params: idParams,
  },
})
