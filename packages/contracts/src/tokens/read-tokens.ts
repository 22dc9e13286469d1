import * as z from 'zod'
import { id } from '../common.ts'
import { newTokenValue, optionalTokenSettings, tokenFields, tokenName } from './tokens.ts'

const PROMPTS_MAX = 1_000

export const READ_TOKEN_TEXTS = {
  none: 'No read tokens created yet.',
  noneHint: 'Create a token to fetch prompts from code, by their labels.',
  choosePrompts: 'Please select at least one prompt.',
  noPrompts: 'No prompts available. Please create prompts first.',
  mayNotRun: 'This token can fetch prompts but not run them. Its creator can switch on “May run”.',
} as const

const mayRun = z
  .boolean()
  .describe(
    'It may also run its prompts as its creator, with POST /v1/responses and `prompt`. Default: false.',
  )
const promptIds = z
  .array(id)
  .min(1, READ_TOKEN_TEXTS.choosePrompts)
  .max(PROMPTS_MAX, {
    error: () => `A token can read at most ${PROMPTS_MAX.toLocaleString('en')} prompts`,
  })
  .describe('Ids of prompts that the caller can see.')

export const readToken = z.object({
  ...tokenFields,
  tokenType: z.literal('read').describe('Token that fetches prompts.'),
  mayRun,
  prompts: z
    .array(z.object({ id, title: z.string().describe('Current title.') }))
    .describe('Its prompts that its creator can see. Empty: it no longer reaches any.'),
})
export type ReadToken = z.infer<typeof readToken>

export const createReadTokenRequest = z.strictObject({
  name: tokenName,
  promptIds,
  mayRun: mayRun.default(false),
  ...optionalTokenSettings,
})
export type CreateReadTokenRequest = z.input<typeof createReadTokenRequest>

export const updateReadTokenRequest = z.strictObject({
  name: tokenName.optional(),
  promptIds: promptIds.optional(),
  mayRun: mayRun.optional(),
  ...optionalTokenSettings,
})
export type UpdateReadTokenRequest = z.input<typeof updateReadTokenRequest>

export const createdReadToken = readToken.extend(newTokenValue)
export type CreatedReadToken = z.infer<typeof createdReadToken>
