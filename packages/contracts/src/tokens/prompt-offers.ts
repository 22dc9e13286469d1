import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { askedFills, chosenFills, fills } from '../fills.ts'
import { listQuery } from '../lists.ts'

const ACCEPTED_AT_ONCE_MAX = 1_000

/** Another's prompt that the caller can see. Tokens for all prompts reach those that are accepted. */
export const promptOffer = z.object({
  promptId: id,
  promptTitle: z.string().describe('Current title.'),
  owner: z.string().describe('Username of the prompt’s owner.'),
  ownerIsAdmin: z.boolean().describe('Its owner is an administrator.'),
  via: z
    .enum(['share', 'public'])
    .describe('share: its owner shares it with the caller by name; public: everyone can see it.'),
  isSkill: z.boolean().describe('It is served as a skill too.'),
  acceptedAt: timestamp.nullable().describe('null: only offered, so tokens for all prompts do not reach it.'),
  fills: fills
    .nullable()
    .describe('What the acceptance lets its text be filled with (D69); null: it is not accepted.'),
  asksToFill: askedFills.describe(
    'Private names that its texts hold and `fills` does not; of an offer, what accepting it would list.',
  ),
})
export type PromptOffer = z.infer<typeof promptOffer>

const acceptPromptsRequest = z.strictObject({
  promptIds: z
    .array(id)
    .min(1, 'Name at least one prompt')
    .max(ACCEPTED_AT_ONCE_MAX)
    .describe('Other people’s prompts that the caller can see; all are accepted, or none.'),
  fills: chosenFills.describe(
    'Private names that may be filled in, each in its record (D69); accepting again replaces those. Default: those that the texts hold now.',
  ),
})

export const promptOffersApi = defineApi('tokens', {
  'GET /api/prompt-offers': {
    who: 'user',
    summary: "Others' prompts that your tokens for all prompts reach, or could once you accept them",
    query: listQuery,
    list: promptOffer,
    errors: [401],
  },
  'POST /api/prompt-acceptances': {
    who: 'user',
    summary: "Accept others' prompts: your tokens for all prompts reach them from now on",
    description:
      'A prompt that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.',
    body: acceptPromptsRequest,
    errors: [404],
  },
  'DELETE /api/prompt-acceptances/{id}': {
    who: 'user',
    summary: 'Stop accepting a prompt, by the id of the prompt',
    params: idParams,
  },
})
