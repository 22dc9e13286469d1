import { EFFORTS, type Prompt, type PromptSettings, type StepSettings } from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { numberText } from '../../lib/text/number-of.ts'

const text = z.string().default('')

const turnInput = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
})
export type TurnInput = z.output<typeof turnInput>

/** How a prompt or a step is run, while it is being filled in: numbers stay as they are typed. */
export const settingsInput = {
  fallbackModel: z.string().nullable().default(null),
  moreFallbackModels: z.array(z.string()).default([]),
  effort: z.enum(EFFORTS).nullable().default(null),
  temperature: text,
  maxTokens: text,
  stop: z.array(z.string()).default([]),
  systemPrompt: text,
  messages: z.array(turnInput).default([]),
}
const settings = z.object(settingsInput)
export type SettingsInput = z.output<typeof settings>

export type StoredSettings = Omit<StepSettings, 'output'> & {
  fallbackModel?: string | null | undefined
  temperature?: number | null | undefined
  maxTokens?: number | null | undefined
  systemPrompt?: string | null | undefined
}

export function settingsOf(stored: StoredSettings): SettingsInput {
  const { messages = [] } = stored
  return {
    fallbackModel: stored.fallbackModel ?? null,
    moreFallbackModels: stored.moreFallbackModels ?? [],
    effort: stored.effort ?? null,
    temperature: numberText(stored.temperature),
    maxTokens: numberText(stored.maxTokens),
    stop: Array.isArray(stored.stop) ? stored.stop : [],
    systemPrompt: stored.systemPrompt ?? '',
    messages: messages.map((turn, index) => ({ id: String(index), ...turn })),
  }
}

export type SettingsForm = UseFormReturn<SettingsInput>

/** The form as one of the settings alone: the types of a form with more fields don't say that it is one. */
export function settingsFormOf<Values extends SettingsInput, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
): SettingsForm {
  return form as unknown as SettingsForm
}

/** Whether a save of these would change what is stored, of a prompt with its model. */
export function isSameSettings(
  mine: SettingsInput & { model: string | null },
  stored: Pick<Prompt, keyof PromptSettings>,
): boolean {
  const keyOf = ({ messages, stop, ...others }: SettingsInput, model: string | null) => {
    const turns = messages.map(({ role, content }) => [role, content])
    const named = Object.keys(settingsInput)
      .filter((name) => name in others)
      .map((name) => others[name as keyof typeof others])
    return JSON.stringify([model, named, stop.filter((text) => text !== ''), turns])
  }
  return keyOf(mine, mine.model) === keyOf(settingsOf(stored), stored.model ?? null)
}
