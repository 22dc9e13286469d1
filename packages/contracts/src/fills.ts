import * as z from 'zod'
import { id } from './common.ts'
import { defineApi } from './endpoint.ts'
import { RECORD_KINDS } from './records/records.ts'

/** Names beyond them stay unfilled, and are asked for. */
export const FILLS_MAX = 1_000
export const ASKED_FILLS_MAX = 100
const NAME_MAX = 100

/** Code of the refusal of a run that would fill in private values without consent (D69). */
export const PRIVATE_VALUES = 'private_values'

/**
 * By the name in lower case, the id of the person whose save brought it into the text; negative: of the person
 * whose copy did, which no form has shown yet; 0: not known.
 */
export type NamedBy = Record<string, number>

export const fill = z.object({
  kind: z.enum(RECORD_KINDS).describe('Kind of record whose text uses it.'),
  id: id.describe('Id of that prompt or chain.'),
  name: z.string().min(1).max(NAME_MAX).describe('Name of the private variable, in lower case.'),
})
export type Fill = z.infer<typeof fill>

export const fills = z
  .array(fill)
  .describe(
    'Names of the creator’s private variables that somebody else brought into a text, each with the record where they ' +
      'may be filled in (D69). Other private names in other people’s texts stay empty. Names that the creator brought in ' +
      'themselves, and public variables, need no entry. Exports never include this list.',
  )
export const chosenFills = fills
  .max(FILLS_MAX)
  .optional()
  .describe('Private names that may be filled in, each in its record (D69). Default: those in the texts now.')

export const shownFills = z
  .array(z.string().min(1).max(NAME_MAX))
  .max(FILLS_MAX)
  .optional()
  .describe(
    'Names of your private variables that may be filled in where somebody else brought the name into the text (D69). ' +
      'If the texts use one that is not listed, the call is refused with 409 and code `private_values`. Values sent in the call itself need no entry.',
  )

export const askedFill = fill.extend({
  title: z.string().describe('Title or name of the record.'),
  by: z
    .string()
    .nullable()
    .describe('Username of the person who brought it in; null: it came with a copy, or is unknown.'),
})
export type AskedFill = z.infer<typeof askedFill>

export const askedFills = z
  .array(askedFill)
  .max(ASKED_FILLS_MAX)
  .describe(
    'Private names in its texts that `fills` does not list, so they are not filled in. PATCH `fills` allows them. Empty for anyone but its creator.',
  )

export const othersNames = z
  .array(z.string())
  .optional()
  .describe(
    'Names of variables in its texts, in lower case, that somebody else brought in: a private value is ' +
      'filled in for them only with consent (D69). Absent in lists.',
  )

const records = z.array(id).max(1_000).default([])
const findFillsRequest = z.strictObject({
  promptIds: records.describe('Prompts to look at.'),
  chainIds: records.describe('Chains to look at.'),
  allPrompts: z.boolean().default(false).describe('All of the caller’s own prompts.'),
  allChains: z.boolean().default(false).describe('All of the caller’s own chains.'),
})
export type FindFillsRequest = z.input<typeof findFillsRequest>

export const foundFills = z.object({
  fills: z.array(askedFill).describe('Names that somebody else brought in, which need consent.'),
  own: z
    .array(z.string())
    .describe('Names of private variables that the caller brought in; always filled in.'),
})
export type FoundFills = z.infer<typeof foundFills>

export const fillsApi = defineApi('variables', {
  'POST /api/private-names': {
    who: 'user',
    summary: 'Which of your private values would be filled in for those prompts and chains',
    description:
      'Changes nothing. Includes prompts that steps link to and parts of skills. A name that somebody else ' +
      'brought into a text is filled in only with consent, which forms ask for before creating a token or a schedule.',
    body: findFillsRequest,
    reply: foundFills,
    writes: 'unlimited',
    activity: { none: 'It reads by a body, and changes nothing.' },
  },
})
