import * as z from 'zod'
import { idParam, idParams, noContent, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { isVisible, tidyName } from './names.ts'
import { promptSettings } from './settings/model-settings.ts'

export const PROMPT_ALIASES_MAX = 20
const PROMPT_ALIAS_MAX = 200
/** Our own ids, and names that begin as a chain's does for programs. */
const RESERVED_ALIAS = /^(\d+$|(claude-)?chain-)/

/** Kept unchanged: programs ask for it letter by letter. */
export const promptAliasName = z
  .string()
  .max(PROMPT_ALIAS_MAX, `An alias can have at most ${PROMPT_ALIAS_MAX} characters`)
  .transform(tidyName)
  .refine(isVisible, 'An alias needs a visible character')
  .refine((alias) => !/\p{Cc}/u.test(alias), 'An alias must be a single line')
  .refine((alias) => !RESERVED_ALIAS.test(alias), 'An alias is not a number and does not begin with chain-')
  .describe(
    'Name that existing code uses for the prompt, such as `pmpt_68a1…` from OpenAI or `marketing/intro` from Langfuse; at most 200 characters.',
  )

export const promptAliasParams = z.strictObject({
  id: idParam.describe('Id of the prompt.'),
  alias: promptAliasName,
})

const promptAlias = z.object({
  alias: z.string().describe('Name that existing code uses for the prompt.'),
  createdAt: timestamp,
})
export type PromptAlias = z.infer<typeof promptAlias>
export const promptAliasList = z.array(promptAlias).describe('By name.')

const SERVED_LABEL_MAX = 36
const SERVED_NAME_MAX = 200
const PAGE_MAX = 100

export const servedPromptParams = z.strictObject({
  name: z.string().min(1).max(SERVED_NAME_MAX).describe("The prompt's slug, its id, or one of its aliases."),
})

const servedPromptQuery = z.object({
  label: z
    .string()
    .min(1)
    .max(SERVED_LABEL_MAX)
    .optional()
    .describe('Default without a version: `production`, or else the newest.'),
  version: idParam.optional().describe('Number of the version; can’t be combined with a label.'),
  resolve: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'false: references to the library’s variables are kept, as all others are. Default: true where the token has the scope `resolve`.',
    ),
})
export type ServedPromptQuery = z.output<typeof servedPromptQuery>

const textPrompt = z
  .literal('text')
  .describe('Chat messages are assembled by the program that uses the prompt.')

export const servedPrompt = z.object({
  name: z.string().describe("The prompt's slug."),
  version: z.int().describe('The number of the version.'),
  type: textPrompt,
  prompt: z
    .string()
    .describe('The text; each reference `$<name>` without a value in the library becomes `{{name}}`.'),
  config: z.object(promptSettings).describe('Run settings saved with the version; empty if nothing is set.'),
  labels: z.array(z.string()).describe('Labels that point to this version; `latest` if it is the newest.'),
  tags: z.array(z.string()).describe('Tags of the prompt.'),
  commitMessage: z.string().nullable().describe('Note on the version; null: none.'),
  resolutionGraph: z.null().describe('Always null: prompts here do not contain others.'),
})
export type ServedPrompt = z.infer<typeof servedPrompt>

const listServedPromptsQuery = z.object({
  name: z.string().max(SERVED_NAME_MAX).optional().describe('Only the prompt of this name.'),
  label: z.string().max(SERVED_LABEL_MAX).optional().describe('Only prompts with this label.'),
  tag: z.string().max(SERVED_NAME_MAX).optional().describe('Only prompts with this tag.'),
  page: idParam.default(1).describe('Page number, from 1.'),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(50).describe('Prompts per page.'),
  fromUpdatedAt: timestamp.optional().describe('Only prompts saved at or after this time.'),
  toUpdatedAt: timestamp.optional().describe('Only prompts saved before this time.'),
})
export type ListServedPromptsQuery = z.output<typeof listServedPromptsQuery>

const servedPromptList = z.object({
  data: z
    .array(
      z.object({
        name: z.string().describe("The prompt's slug."),
        type: textPrompt,
        versions: z.array(z.int()).describe('Numbers of the newest 500 versions.'),
        labels: z.array(z.string()).describe('Labels of all versions.'),
        tags: z.array(z.string()).describe('Tags of the prompt.'),
        lastUpdatedAt: timestamp,
        lastConfig: z.object({}).describe('Always empty.'),
      }),
    )
    .describe('Sorted by name.'),
  meta: z
    .object({
      page: z.int().describe('Page number, from 1.'),
      limit: z.int().describe('Prompts per page.'),
      totalItems: z.int().describe('Prompts that match.'),
      totalPages: z.int().describe('Number of pages.'),
    })
    .describe('Position of the page.'),
})
export type ServedPromptList = z.infer<typeof servedPromptList>

const servedPromptError = z.object({
  message: z.string().describe('One sentence to show to a person.'),
  error: z.string().describe('The kind of failure, as Langfuse names it.'),
})

export const promptAliasesApi = defineApi('prompts', {
  'GET /api/prompts/{id}/aliases': {
    who: 'user',
    summary: 'Aliases of a prompt, for people who may change it',
    params: idParams,
    reply: promptAliasList,
    errors: [401, 403],
  },
  'PUT /api/prompts/{id}/aliases/{alias}': {
    who: 'user',
    summary: 'Add an alias to a prompt, for its owner',
    description:
      '409 if another of the owner’s prompts has it. Names used by other people don’t matter (D48).',
    params: promptAliasParams,
    reply: promptAliasList,
    errors: [409],
    activity: { kind: 'prompt.alias_added', object: 'prompt' },
  },
  'DELETE /api/prompts/{id}/aliases/{alias}': {
    who: 'user',
    summary: 'Remove an alias from a prompt, for its owner',
    params: promptAliasParams,
    reply: promptAliasList,
    activity: { kind: 'prompt.alias_removed', object: 'prompt' },
  },
})

/** Cookies are ignored here, so that no site can borrow a session. */
export const promptServerApi = defineApi('prompt server', {
  'GET /api/public/v2/prompts/{name}': {
    who: 'read token',
    summary: 'Fetch a version of a prompt with a read token',
    description:
      'As documented by Langfuse: `Authorization: Basic` with the token as the password (the user name is ' +
      'ignored), or `Bearer`. `X-Prompt-Version` and `X-Prompt-Label` say which version was found and by which ' +
      'label; `If-None-Match` is answered with 304.',
    params: servedPromptParams,
    query: servedPromptQuery,
    sends: { 200: servedPrompt, 304: noContent },
    errors: [401, 403, 404, 429],
    failure: servedPromptError,
    crossSiteCheck: false,
    notReplayed: true,
  },
  'GET /api/public/v2/prompts': {
    who: 'read token',
    summary: 'List the prompts that a read token can fetch',
    description: 'As documented by Langfuse; sorted by name.',
    query: listServedPromptsQuery,
    sends: { 200: servedPromptList },
    errors: [401, 403, 404, 429],
    failure: servedPromptError,
    crossSiteCheck: false,
    notReplayed: true,
  },
})
