import { MAX_TOKENS_MAX, promptSettingFields } from '@catenary/contracts'
import * as z from 'zod'
import { typedNumber } from '../../lib/text/number-of.ts'
import { settingsInput } from './settings-value.ts'

const TEMPERATURE = 'Temperature must be a number from 0 to 2'

/** The settings as they may be saved: nothing where nothing is set. */
export function settingsForm({ tokensLabel }: { tokensLabel: string }) {
  const tokens = `${tokensLabel} must be a whole number from 1 to ${MAX_TOKENS_MAX.toLocaleString('en')}`
  const { moreFallbackModels, effort, stop, systemPrompt, messages } = promptSettingFields
  return {
    fallbackModel: z.string().nullable(),
    moreFallbackModels: z.array(z.string()).transform(noneOf).pipe(moreFallbackModels.unwrap()),
    effort: effort.unwrap(),
    temperature: typedNumber.pipe(z.number(TEMPERATURE).min(0, TEMPERATURE).max(2, TEMPERATURE).nullable()),
    maxTokens: typedNumber.pipe(z.int(tokens).min(1, tokens).max(MAX_TOKENS_MAX, tokens).nullable()),
    stop: z
      .array(z.string())
      .transform((texts) => noneOf(texts.filter((text) => text !== '')))
      .pipe(stop.unwrap()),
    systemPrompt: z
      .string()
      .transform((text) => (text.trim() === '' ? null : text))
      .pipe(systemPrompt.unwrap()),
    messages: settingsInput.messages
      .unwrap()
      .superRefine((turns, context) => {
        const empty = turns.findIndex(({ content }) => content.trim() === '')
        if (empty === -1) return
        context.addIssue({
          code: 'custom',
          message: `Turn ${empty + 1} has no text. Write some, or remove the turn`,
        })
      })
      .transform((turns) => noneOf(turns.map(({ role, content }) => ({ role, content }))))
      .pipe(messages.unwrap()),
  }
}

function noneOf<Item>(items: Item[]): Item[] | null {
  return items.length === 0 ? null : items
}
