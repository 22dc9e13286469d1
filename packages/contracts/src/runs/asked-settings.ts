import * as z from 'zod'
import { promptSettingFields, promptSettings } from '../settings/model-settings.ts'

const OTHERWISE = 'absent: as saved in the prompt’s version.'

export const runSettingFields = {
  systemPrompt: promptSettingFields.systemPrompt.describe(
    `Sent as the system prompt; a template, like the content; null: none; ${OTHERWISE}`,
  ),
  messages: promptSettingFields.messages.describe(
    `Turns before the content, also templates; null: none; ${OTHERWISE}`,
  ),
  effort: promptSettingFields.effort.describe(
    `How much the model thinks before it answers; null: the model’s default; ${OTHERWISE}`,
  ),
  temperature: promptSettingFields.temperature.describe(`null: the model’s default; ${OTHERWISE}`),
  maxTokens: promptSettingFields.maxTokens.describe(
    `Maximum length of the answer; null: the model’s default; ${OTHERWISE}`,
  ),
  stop: promptSettingFields.stop.describe(`Texts at which the model stops writing; null: none; ${OTHERWISE}`),
}

export const askedFields = {
  messages: promptSettings.messages.describe('Turns before the content, as sent; absent: none.'),
  settings: z
    .object({
      effort: promptSettings.effort,
      temperature: promptSettings.temperature,
      maxTokens: promptSettings.maxTokens,
      stop: promptSettings.stop,
      output: promptSettings.output,
    })
    .optional()
    .describe('Settings sent to the model besides the texts; absent: none.'),
}
