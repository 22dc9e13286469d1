import * as z from 'zod'
import { promptSettingFields, promptSettings } from '../settings/model-settings.ts'

const OTHERWISE = 'absent: as the prompt’s version has it.'

export const runSettingFields = {
  systemPrompt: promptSettingFields.systemPrompt.describe(
    `Sent as the system prompt; a template, as the content is; null: none; ${OTHERWISE}`,
  ),
  messages: promptSettingFields.messages.describe(
    `Turns before the content, templates too; null: none; ${OTHERWISE}`,
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
    .describe('What was asked of the model beside its texts; absent: nothing.'),
}
