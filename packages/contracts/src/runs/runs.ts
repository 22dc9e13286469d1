import * as z from 'zod'
import { RUN_IS_KEPT } from '../activity-kinds.ts'
import { id, MAX_ID, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { shownFills } from '../fills.ts'
import { cut, finishReason, modelAlias, storedModel } from '../installation/models.ts'
import type { Whole } from '../lists.ts'
import { PROMPT_CONTENT_MAX } from '../prompts.ts'
import { valueOrigins } from '../variables/variables.ts'
import { askedFields, runSettingFields } from './asked-settings.ts'
import { ownRating } from './ratings.ts'
import { runAttachments } from './run-attachments.ts'
import { structured } from './structured-answers.ts'
import { lateAnswer, limitWait } from './waits-and-fallbacks.ts'

export const USER_INPUT_MAX = 200_000
export const HISTORY_PAGE = 50
export const HISTORY_PROMPT_PREVIEW = 200

export const runValues = z.record(
  z.string().regex(/^[A-Za-z0-9_]{1,50}$/),
  z.string().max(PROMPT_CONTENT_MAX),
)

const modelPrice = z.object({
  inputPerMillionUsd: z.number().describe('US dollars per million input tokens.'),
  outputPerMillionUsd: z.number().describe('US dollars per million output tokens.'),
})

/** Both readings of the specification (D27). */
const executePromptRequest = z.strictObject({
  promptId: id,
  model: modelAlias.optional().describe('Alias of the model; absent: the prompt’s own, else claude.'),
  promptVersion: z
    .int()
    .min(1)
    .max(MAX_ID)
    .optional()
    .describe('Stored version to run, for people who may change the prompt; absent: the current one.'),
  userInput: z.string().max(USER_INPUT_MAX).optional().describe('Added after a blank line.'),
  ...runSettingFields,
  template: z
    .string()
    .max(PROMPT_CONTENT_MAX)
    .optional()
    .describe('Edited text to run instead of the stored content.'),
  variables: runValues
    .optional()
    .describe(
      'Values that override the stored ones; for an image or document, the filePath of one of your files.',
    ),
  variableValues: runValues
    .optional()
    .describe('Another name for `variables`; it takes precedence if both set a value.'),
  processedContent: z
    .string()
    .min(1)
    .max(PROMPT_CONTENT_MAX)
    .optional()
    .describe('Text to send unchanged, with values already substituted.'),
  fills: shownFills,
  goesOn: z
    .boolean()
    .optional()
    .describe('Closing the stream does not stop the run; POST /api/executions/{id}/cancel does.'),
})
export type ExecutePromptRequest = z.input<typeof executePromptRequest>
export type RunPromptRequest = z.output<typeof executePromptRequest>

export const usage = z.object({
  inputTokens: z.int().nullable().describe('Counted by the provider; null: not reported.'),
  outputTokens: z.int().nullable().describe('Counted by the provider; null: not reported.'),
  cachedTokens: z
    .int()
    .nullable()
    .describe('Input tokens read from the provider’s cache; null: not reported.'),
  costUsd: z.number().nullable().describe('US dollars; null: the price is unknown.'),
  savedUsd: z
    .number()
    .nullable()
    .describe(
      'US dollars that the cache saved; negative if writing to it cost more than reading saved; null: unknown.',
    ),
  durationMs: z
    .int()
    .nullable()
    .describe('From the call to the end of the answer; for a chain, all steps together.'),
})

/** Also the last event, `done`, of a stream. */
export const executePromptReply = usage.extend({
  executionId: id,
  result: z.string().describe('The answer.'),
  model: storedModel,
  modelId: z.string().describe('Model named in the reply.'),
  provider: z.string().describe('Provider that answered.'),
  ...lateAnswer,
  finishReason,
  cut,
  structured,
  resolved: valueOrigins.optional().describe('Sources of the values; empty for a processedContent.'),
  attachments: runAttachments.optional(),
  error: z.string().optional().describe('Why the answer is incomplete.'),
  details: z.string().optional().describe('Error code.'),
})
export type ExecutePromptReply = z.infer<typeof executePromptReply>

/** Events with `Accept: text/event-stream` (D9). */
export const executeEvents = {
  start: z.object({
    executionId: id,
    price: modelPrice.nullish().describe('Price of its model; null: unknown.'),
  }),
  delta: z.object({ text: z.string().describe('The next piece of the answer.') }),
  wait: z.object({
    waitsFor: limitWait.optional().describe('What it is waiting for; absent: it is running.'),
  }),
  done: executePromptReply,
  error: z.object({
    error: z.string().describe('One sentence to show to a person.'),
    details: z.string().optional().describe('Error code.'),
    executionId: id.optional(),
  }),
}

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const
export const runStatus = z.enum(RUN_STATUSES).describe('cancelled: a person stopped it.')

export const textsDeleted = z
  .literal(true)
  .optional()
  .describe('The run’s texts were deleted by retention; its metrics remain.')

export const RUN_ACCESS_LEVELS = ['own', 'texts', 'figures'] as const
const accessLevel = z
  .enum(RUN_ACCESS_LEVELS)
  .describe(
    'What the caller sees of the run (D59). own: everything, as they started it; texts: another person’s run with its texts; figures: who, when, state, version, model, tokens and cost, but no texts; for a run that may use private values, only administrators see these.',
  )
export type RunAccessLevel = z.infer<typeof accessLevel>

export const runPrivacy = {
  sight: accessLevel,
  usesPrivateValues: z
    .boolean()
    .describe(
      'It may use a value that only its runner sees, because its text names one or because this is unknown. Set from the start. Others see only that such a run exists, unless it is shared (D68).',
    ),
  sharing: z
    .enum(['none', 'run', 'all'])
    .describe(
      'Whether its runner shares it with everyone who sees its chain or prompt. run: this run; all: like all their runs of it.',
    ),
}

export const promptRun = usage.extend({
  id,
  promptId: id.nullable(),
  promptVersion: z.int().nullable().describe('The version that ran (D15).'),
  status: runStatus,
  model: storedModel,
  modelId: z.string().nullable().describe('Model named in the reply.'),
  provider: z.string().nullable().describe('Provider that answered.'),
  ...lateAnswer,
  finishReason: finishReason.nullable(),
  cut,
  executedAt: timestamp,
  template: z.string().nullable().describe('The edited text, if it was not the stored one.'),
  variableValues: z.record(z.string(), z.string()).describe('Values that the person entered.'),
  executedPromptContent: z.string().describe('Text as sent, with values substituted.'),
  resolved: valueOrigins.optional().describe('Sources of the values; empty for a processedContent.'),
  attachments: runAttachments,
  userInput: z.string().describe('Text added after a blank line.'),
  systemPrompt: z.string().describe('System prompt as sent.'),
  ...askedFields,
  aiResponse: z.string().describe('The answer, as much as was received.'),
  structured,
  error: z.string().nullable().describe('Why it failed or was stopped.'),
  textsDeleted,
  executedBy: z.string().describe('Username of the person who ran it.'),
  ...runPrivacy,
  rating: ownRating,
})
export type PromptRun = Whole<z.infer<typeof promptRun>>

export const listedPromptRun = promptRun.extend({
  contentClipped: z
    .literal(true)
    .optional()
    .describe(
      'Texts are cut off at 500 characters or long values are omitted; GET /api/prompts/{id}/executions/{executionId} returns all of them.',
    ),
  contentLength: z
    .int()
    .optional()
    .describe('Bytes of the whole executedPromptContent; absent: it is not cut off.'),
})
export type ListedPromptRun = z.infer<typeof listedPromptRun>

export const promptRunsApi = defineApi('executions', {
  'POST /api/execute-prompt': {
    who: 'user',
    summary: 'Run a prompt',
    description:
      'With `Accept: text/event-stream`, the reply is a stream of the events start, wait, delta, done and error; ' +
      'closing the stream stops the run, unless the request sets `goesOn`. Otherwise the reply is one JSON object, and the run continues to its end.',
    body: executePromptRequest,
    sends: { 200: executePromptReply },
    writes: 'unlimited',
    limits: ['runs', 'streams if asked'],
    activity: { none: RUN_IS_KEPT },
  },
})
