import * as z from 'zod'
import {
  type PromptSettings,
  promptSettingFields,
  promptSettings,
  STOP_TEXTS,
  stopTexts,
} from './model-settings.ts'
import { flowFields, flowSettings } from './step-flow.ts'
import { stopRun } from './stop-run.ts'

const STOP = `${STOP_TEXTS}; for a step of kind stop, how it ends the run`

export const stepSettings = {
  ...flowSettings,
  moreFallbackModels: promptSettings.moreFallbackModels,
  effort: promptSettings.effort,
  stop: z
    .union([z.array(z.string()), stopRun])
    .optional()
    .describe(`${STOP}; absent: none.`),
  output: promptSettings.output,
  messages: promptSettings.messages,
}
export type StepSettings = z.infer<z.ZodObject<typeof stepSettings>>

export type AskedSettings = Pick<PromptSettings, 'effort' | 'temperature' | 'maxTokens' | 'stop' | 'output'> &
  Pick<StepSettings, 'forEach'>

/** Their names, in the order in which they are kept. */
export const STEP_SETTINGS = Object.keys(stepSettings) as (keyof StepSettings)[]

export const stepSettingFields = {
  ...flowFields,
  moreFallbackModels: promptSettingFields.moreFallbackModels,
  effort: promptSettingFields.effort,
  stop: z
    .union([stopTexts, stopRun])
    .nullable()
    .optional()
    .describe(`${STOP}; null: none; absent: unchanged.`),
  output: promptSettingFields.output,
  messages: promptSettingFields.messages,
}
