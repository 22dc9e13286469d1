import * as z from 'zod'
import { timestamp } from '../common.ts'
import { storedModel } from '../installation/models.ts'

const failedModel = z.object({
  model: storedModel,
  reason: z.string().describe('Why it failed.'),
})

export const stepFallback = z.object({
  model: storedModel.describe('Alias of the model that answered.'),
  reason: z.string().describe("Why the step's own model failed."),
  failed: z
    .array(failedModel)
    .optional()
    .describe(
      'All models that failed before it, in order; absent in runs from before there were several fallbacks.',
    ),
})
export type StepFallback = z.infer<typeof stepFallback>

const fallback = stepFallback
  .optional()
  .describe('Fallback model that answered; absent: the requested model did.')

/** In milliseconds, because its provider was rate limiting. */
export const limitWaitMs = z
  .int()
  .optional()
  .describe('Milliseconds of that spent waiting for the provider’s rate limit; absent: none.')

export const limitWait = z.object({
  vendor: z.string().describe('Name of the provider.'),
  isOverload: z.boolean().describe('The provider is overloaded; false: its rate limit is used up.'),
  until: timestamp.describe('When it may be called again; in the past while another call tries first.'),
})
export type LimitWait = z.infer<typeof limitWait>

export const lateAnswer = { limitWaitMs, fallback }
