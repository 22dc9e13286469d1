import * as z from 'zod'
import { modelAlias, storedModel } from '../installation/models.ts'

/** How much a model thinks before it answers; each vendor has its own words for it. */
export const EFFORTS = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof EFFORTS)[number]
export const MAX_TOKENS_MAX = 1_000_000
export const SYSTEM_PROMPT_MAX = 100_000
/** As many as OpenAI takes, the fewest of the vendors. */
export const STOP_MAX = 4
export const STOP_LENGTH_MAX = 100
export const MORE_FALLBACKS_MAX = 4
export const TURNS_MAX = 20
export const TURNS_LENGTH_MAX = 200_000
export const SCHEMA_LENGTH_MAX = 50_000

const turn = z.strictObject({
  role: z.enum(['user', 'assistant']).describe('Role of the speaker.'),
  content: z.string().describe('A template, like the content.'),
})
export type Turn = z.infer<typeof turn>

const jsonOutput = z.strictObject({
  type: z.literal('json').describe('JSON that matches the schema.'),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer.'),
})
export type JsonOutput = z.infer<typeof jsonOutput>

const NO_FALLBACK = 'Model that answers when the first one has failed for good'
const MORE_FALLBACKS = 'Models to try in this order when the fallback model has failed too'
const DEFAULT = 'the model’s default'
const EFFORT = 'How much the model thinks before it answers'
export const STOP_TEXTS = 'Texts at which the model stops writing'
const OUTPUT = 'Answer format'
const SYSTEM_PROMPT = 'Sent as the system prompt; a template, like the content'
const MESSAGES = 'Turns of a conversation that come before the content, such as examples'

export const promptSettings = {
  model: storedModel.optional().describe('Model that runs it unless another is chosen; absent: none.'),
  fallbackModel: storedModel.optional().describe(`${NO_FALLBACK}; absent: none.`),
  moreFallbackModels: z.array(storedModel).optional().describe(`${MORE_FALLBACKS}; absent: none.`),
  effort: z.enum(EFFORTS).optional().describe(`${EFFORT}; absent: ${DEFAULT}.`),
  temperature: z.number().optional().describe(`Absent: ${DEFAULT}.`),
  maxTokens: z.int().optional().describe(`Maximum length of the answer; absent: ${DEFAULT}.`),
  stop: z.array(z.string()).optional().describe(`${STOP_TEXTS}; absent: none.`),
  output: jsonOutput.optional().describe(`${OUTPUT}; absent: text.`),
  systemPrompt: z.string().optional().describe(`${SYSTEM_PROMPT}; absent: none.`),
  messages: z.array(turn).optional().describe(`${MESSAGES}; absent: none.`),
}
export type PromptSettings = z.infer<z.ZodObject<typeof promptSettings>>

/** Their names, in the order in which they are kept. */
export const PROMPT_SETTINGS = Object.keys(promptSettings) as (keyof PromptSettings)[]

const KEPT = 'absent: unchanged'

function isShort(schema: object): boolean {
  try {
    return JSON.stringify(schema).length <= SCHEMA_LENGTH_MAX
  } catch {
    // It is nested too deep to be serialized.
    return false
  }
}

export const stopTexts = z
  .array(z.string().min(1).max(STOP_LENGTH_MAX, `A stop text can have at most ${STOP_LENGTH_MAX} characters`))
  .max(STOP_MAX, `At most ${STOP_MAX} stop texts`)

export const promptSettingFields = {
  model: modelAlias
    .nullable()
    .optional()
    .describe(`Model that runs it unless another is chosen; null: none; ${KEPT}.`),
  fallbackModel: modelAlias.nullable().optional().describe(`${NO_FALLBACK}; null: none; ${KEPT}.`),
  moreFallbackModels: z
    .array(modelAlias)
    .max(MORE_FALLBACKS_MAX, `At most ${MORE_FALLBACKS_MAX} more fallback models`)
    .refine((aliases) => new Set(aliases).size === aliases.length, 'List each fallback model once')
    .nullable()
    .optional()
    .describe(`${MORE_FALLBACKS}; null: none; ${KEPT}.`),
  effort: z.enum(EFFORTS).nullable().optional().describe(`${EFFORT}; null: ${DEFAULT}; ${KEPT}.`),
  temperature: z.number().min(0).max(2).nullable().optional().describe(`null: ${DEFAULT}; ${KEPT}.`),
  maxTokens: z
    .int()
    .min(1)
    .max(MAX_TOKENS_MAX)
    .nullable()
    .optional()
    .describe(`Maximum length of the answer; null: ${DEFAULT}; ${KEPT}.`),
  stop: stopTexts.nullable().optional().describe(`${STOP_TEXTS}; null: none; ${KEPT}.`),
  output: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text').describe('Text.') }),
      jsonOutput.refine(({ schema }) => isShort(schema), {
        error: () => `The schema must be at most ${SCHEMA_LENGTH_MAX.toLocaleString('en')} characters`,
      }),
    ])
    .nullable()
    .optional()
    .describe(`${OUTPUT}; null: text; ${KEPT}.`),
  systemPrompt: z
    .string()
    .max(SYSTEM_PROMPT_MAX)
    .nullable()
    .optional()
    .describe(`${SYSTEM_PROMPT}; null: none; ${KEPT}.`),
  messages: z
    .array(turn)
    .max(TURNS_MAX, `At most ${TURNS_MAX} turns`)
    .refine((turns) => turns.reduce((sum, { content }) => sum + content.length, 0) <= TURNS_LENGTH_MAX, {
      error: () => `The turns must be at most ${TURNS_LENGTH_MAX.toLocaleString('en')} characters together`,
    })
    .nullable()
    .optional()
    .describe(`${MESSAGES}; null: none; ${KEPT}.`),
}
