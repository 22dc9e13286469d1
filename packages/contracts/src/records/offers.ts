import * as z from 'zod'
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
  acceptedAt: timestamp
    .nullable()
    .describe(`null: only offered, so tokens for all ${kind}s do not reach it.`),
  fills: fills
    .nullable()
    .describe('What the acceptance lets its text be filled with (D69); null: it is not accepted.'),
  asksToFill: askedFills.describe(
    'Private names that its texts hold and `fills` does not; of an offer, what accepting it would list.',
  ),
})

/** Another's prompt that the caller can see. Tokens for all prompts reach those that are accepted. */
export const promptOffer = z.object({
  promptId: id,
  promptTitle: z.string().describe('Current title.'),
  ...whoseItIs('prompt'),
  isSkill: z.boolean().describe('It is served as a skill too.'),
  ...whatIsAccepted('prompt'),
})
export type PromptOffer = z.infer<typeof promptOffer>

export const chainOffer = z.object({
  chainId: id,
  chainName: z.string().describe('Current name.'),
  description: z.string().describe('Its first 500 characters.'),
  ...whoseItIs('chain'),
  ...whatIsAccepted('chain'),
})
export type ChainOffer = z.infer<typeof chainOffer>

const acceptedIds = (kind: RecordKind) =>
  z
    .array(id)
    .min(1, `Name at least one ${kind}`)
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe(`Other people’s ${kind}s that the caller can see; all are accepted, or none.`)

const acceptedFills = chosenFills.describe(
  'Private names that may be filled in, each in its record (D69); accepting again replaces those. Default: those that the texts hold now.',
)

// Bundlers leave the calls of what is marked so out of the web app, as they do with `defineApi`.
/* @__NO_SIDE_EFFECTS__ */
function offerEndpoints<Offer extends z.ZodType, Accepting extends z.ZodType>(
  kind: RecordKind,
  { offer, accepting }: { offer: Offer; accepting: Accepting },
) {
  return {
    list: {
      who: 'user',
      summary: `Others' ${kind}s that your tokens for all ${kind}s reach, or could once you accept them`,
      query: listQuery,
      list: offer,
      errors: [401],
    },
    accept: {
      who: 'user',
      summary: `Accept others' ${kind}s: your tokens for all ${kind}s reach them from now on`,
      description: `A ${kind} that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.`,
      body: accepting,
      errors: [404],
    },
    takeBack: {
      who: 'user',
      summary: `Stop accepting a ${kind}, by the id of the ${kind}`,
      params: idParams,
    },
  } as const
}

const ofPrompts = offerEndpoints('prompt', {
  offer: promptOffer,
  accepting: z.strictObject({ promptIds: acceptedIds('prompt'), fills: acceptedFills }),
})

export const promptOffersApi = defineApi('tokens', {
  'GET /api/prompt-offers': ofPrompts.list,
  'POST /api/prompt-acceptances': ofPrompts.accept,
  'DELETE /api/prompt-acceptances/{id}': ofPrompts.takeBack,
})

const ofChains = offerEndpoints('chain', {
  offer: chainOffer,
  accepting: z.strictObject({ chainIds: acceptedIds('chain'), fills: acceptedFills }),
})

export const chainOffersApi = defineApi('tokens', {
  'GET /api/chain-offers': ofChains.list,
  'POST /api/chain-acceptances': ofChains.accept,
  'DELETE /api/chain-acceptances/{id}': ofChains.takeBack,
})
