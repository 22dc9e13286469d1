import * as z from 'zod'
import { askedSends, chosenSends, keptSends } from '../asks/sends.ts'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { askedFills, chosenFills, fills } from '../fills.ts'
import { listQuery } from '../lists.ts'
import type { RecordKind } from './records.ts'

const ACCEPTED_AT_ONCE_MAX = 1_000

const whoseItIs = (kind: RecordKind) => ({
  owner: z.string().describe(`Username of the ${kind}’s owner.`),
  ownerIsAdmin: z.boolean().describe('Its owner is an administrator.'),
  via: z
    .enum(['share', 'public'])
    .describe('share: its owner shares it with the caller by name; public: everyone can see it.'),
})

const whatIsAccepted = (kind: RecordKind) => ({
  acceptedAt: timestamp.nullable().describe(`null: only offered, so tokens for all ${kind}s can’t reach it.`),
  fills: fills
    .nullable()
    .describe('Private values that its text may be filled with (D69); null: it is not accepted.'),
  asksToFill: askedFills.describe(
    'Private names in its texts that `fills` does not list; for an offer, what accepting it would list.',
  ),
})

/** Another's prompt that the caller can see. Tokens for all prompts reach those that are accepted. */
export const promptOffer = z.object({
  promptId: id,
  promptTitle: z.string().describe('Current title.'),
  ...whoseItIs('prompt'),
  isSkill: z.boolean().describe('It is also served as a skill.'),
  ...whatIsAccepted('prompt'),
})
export type PromptOffer = z.infer<typeof promptOffer>

export const chainOffer = z.object({
  chainId: id,
  chainName: z.string().describe('Current name.'),
  description: z.string().describe('Its first 500 characters.'),
  ...whoseItIs('chain'),
  ...whatIsAccepted('chain'),
  sends: keptSends
    .nullable()
    .describe(
      'Where private values may go in runs of it by tokens for all chains (D89); null: it is not accepted.',
    ),
  asksToSend: askedSends.describe('Where it would take private values and `sends` does not allow it.'),
})
export type ChainOffer = z.infer<typeof chainOffer>

const acceptedIds = (kind: RecordKind) =>
  z
    .array(id)
    .min(1, `Name at least one ${kind}`)
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe(`Other people’s ${kind}s that the caller can see. Either all are accepted or none.`)

const acceptedFills = chosenFills.describe(
  'Private names that may be filled in, each in its record (D69); accepting again replaces them. Default: those in the texts now.',
)

// Calls that stand in a table by themselves are left out of the web app with it; a member of what a call returns is not.
/* @__NO_SIDE_EFFECTS__ */
function listsOffers<Offer extends z.ZodType>(kind: RecordKind, offer: Offer) {
  return {
    who: 'user',
    summary: `Others' ${kind}s that your tokens for all ${kind}s reach, or could once you accept them`,
    query: listQuery,
    list: offer,
    errors: [401],
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function acceptsOffers<Accepting extends z.ZodType>(kind: RecordKind, accepting: Accepting) {
  return {
    who: 'user',
    summary: `Accept others' ${kind}s: your tokens for all ${kind}s reach them from now on`,
    description: `A ${kind} that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.`,
    body: accepting,
    errors: [404],
    activity: { kind: `${kind}.accepted`, object: kind },
  } as const
}

/* @__NO_SIDE_EFFECTS__ */
function takesOfferBack(kind: RecordKind) {
  return {
    who: 'user',
    summary: `Stop accepting a ${kind}, by the id of the ${kind}`,
    params: idParams,
    activity: { kind: `${kind}.acceptance_ended`, object: kind },
  } as const
}

const acceptedPrompts = z.strictObject({ promptIds: acceptedIds('prompt'), fills: acceptedFills })

export const promptOffersApi = defineApi('tokens', {
  'GET /api/prompt-offers': listsOffers('prompt', promptOffer),
  'POST /api/prompt-acceptances': acceptsOffers('prompt', acceptedPrompts),
  'DELETE /api/prompt-acceptances/{id}': takesOfferBack('prompt'),
})

const acceptedChains = z.strictObject({
  chainIds: acceptedIds('chain'),
  fills: acceptedFills,
  sends: chosenSends.describe(
    'Where private values may go, by chain: destinations of GET /api/chains/{id}/sends (D89). Default: as before; nowhere at first.',
  ),
})

export const chainOffersApi = defineApi('tokens', {
  'GET /api/chain-offers': listsOffers('chain', chainOffer),
  'POST /api/chain-acceptances': acceptsOffers('chain', acceptedChains),
  'DELETE /api/chain-acceptances/{id}': takesOfferBack('chain'),
})
