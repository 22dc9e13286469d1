import * as z from 'zod'
import { idParam, timestamp } from './common.ts'

/** As OpenAI named its prompt objects. */
export const PROMPT_ALIAS_PATTERN = /^pmpt_[0-9A-Za-z_-]{1,123}$/
/** Of one prompt. */
export const PROMPT_ALIASES_MAX = 20
const alias = z
  .string()
  .regex(PROMPT_ALIAS_PATTERN, 'An alias is pmpt_ and 1 to 123 letters, digits, _ or -')
  .describe('Such as `pmpt_68a1…`: what code calls the prompt that had one with OpenAI.')

export const promptAliasParams = z.strictObject({ id: idParam.describe('Of the prompt.'), alias })

/** GET /api/prompts/{id}/aliases */
export const promptAlias = z.object({ alias, createdAt: timestamp })
export type PromptAlias = z.infer<typeof promptAlias>

const SERVED_LABEL_MAX = 36
const SERVED_NAME_MAX = 200
const PAGE_MAX = 100

export const servedPromptParams = z.strictObject({
  name: z.string().min(1).max(SERVED_NAME_MAX).describe("The prompt's slug, its id, or one of its aliases."),
})

/** GET /api/public/v2/prompts/{name}, as Langfuse documents it. */
export const servedPromptQuery = z.object({
  label: z
    .string()
    .min(1)
    .max(SERVED_LABEL_MAX)
    .optional()
    .describe('Neither label nor version: `production`, else the newest.'),
  version: idParam.optional().describe('Its number; not together with a label.'),
  resolve: z
    .enum(['true', 'false'])
    .default('true')
    .describe("false: the library's own variables stay references, as all others do."),
})
export type ServedPromptQuery = z.output<typeof servedPromptQuery>

const textPrompt = z.literal('text').describe('A chat is put together where the prompt is used.')

/** Its reply. */
export const servedPrompt = z.object({
  name: z.string().describe("The prompt's slug."),
  version: z.int().describe('The number of the version.'),
  type: textPrompt,
  prompt: z
    .string()
    .describe('The text; each reference `$<name>` whose value the library does not have is `{{name}}`.'),
  config: z.object({}).describe('Empty: models are chosen where a prompt runs.'),
  labels: z.array(z.string()).describe('That point to this version; `latest` where it is the newest.'),
  tags: z.array(z.string()).describe("The prompt's."),
  commitMessage: z.string().nullable().describe("The version's note; null: none."),
  resolutionGraph: z.null().describe('Prompts here do not contain others.'),
})
export type ServedPrompt = z.infer<typeof servedPrompt>

/** GET /api/public/v2/prompts, as Langfuse documents it. */
export const listServedPromptsQuery = z.object({
  name: z.string().max(SERVED_NAME_MAX).optional().describe('Only the prompt of this name.'),
  label: z.string().max(SERVED_LABEL_MAX).optional().describe('Only prompts with this label.'),
  tag: z.string().max(SERVED_NAME_MAX).optional().describe('Only prompts with this tag.'),
  page: idParam.default(1).describe('From 1.'),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(50).describe('Prompts a page.'),
  fromUpdatedAt: timestamp.optional().describe('Only prompts that were saved then or later.'),
  toUpdatedAt: timestamp.optional().describe('Only prompts that were saved before.'),
})
export type ListServedPromptsQuery = z.output<typeof listServedPromptsQuery>

/** Its reply. */
export const servedPromptList = z.object({
  data: z
    .array(
      z.object({
        name: z.string().describe("The prompt's slug."),
        type: textPrompt,
        versions: z.array(z.int()).describe('Numbers of the newest 500.'),
        labels: z.array(z.string()).describe('Of all versions.'),
        tags: z.array(z.string()).describe("The prompt's."),
        lastUpdatedAt: timestamp,
        lastConfig: z.object({}).describe('Empty.'),
      }),
    )
    .describe('By name.'),
  meta: z
    .object({
      page: z.int().describe('From 1.'),
      limit: z.int().describe('Prompts a page.'),
      totalItems: z.int().describe('Prompts that match.'),
      totalPages: z.int().describe('Pages of them.'),
    })
    .describe('Which page it is.'),
})
export type ServedPromptList = z.infer<typeof servedPromptList>

/** Every failure of these two calls. */
export const servedPromptError = z.object({
  message: z.string().describe('One sentence for the person.'),
  error: z.string().describe('The kind of failure, as Langfuse names it.'),
})
