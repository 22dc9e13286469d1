import type { AskedSettings, Prompt, Turn } from '@catenary/contracts'
import * as z from 'zod'
import type { OutputInput } from './output/output-value.ts'
import { settingsForm } from './settings-form.ts'
import { type SettingsInput, settingsOf } from './settings-value.ts'

export type RunSettings = Pick<AskedSettings, 'effort' | 'temperature' | 'maxTokens' | 'stop'>

export interface Trial {
  template: string
  systemPrompt: string
  messages: readonly Turn[]
  settings: RunSettings
  /** Null where none is preset. */
  model: string | null
  /** Why it can't be run with those settings; null: it can. */
  problem: string | null
  /** What isn't saved but runs only as it was saved; empty: everything is tried. */
  untried: readonly string[]
}

export function trialOf({
  values,
  stored,
  tokensLabel,
}: {
  values: SettingsInput & { content: string; model: string | null; output: OutputInput }
  stored: Prompt | null
  tokensLabel: string
}): Trial {
  const read = z.object(settingsForm({ tokensLabel })).safeParse(values)
  const settings: RunSettings = {}
  if (read.success) {
    const { effort, temperature, maxTokens, stop } = read.data
    if (effort) settings.effort = effort
    if (temperature !== null) settings.temperature = temperature
    if (maxTokens !== null) settings.maxTokens = maxTokens
    if (stop) settings.stop = stop
  }
  const { content, systemPrompt, messages, model, output } = values
  return {
    template: content,
    systemPrompt,
    messages: messages.map(({ role, content }) => ({ role, content })),
    settings,
    model,
    problem: read.success ? null : (read.error.issues[0]?.message ?? null),
    untried: stored ? untriedIn({ values, output, stored }) : [],
  }
}

function untriedIn({
  values,
  output,
  stored,
}: {
  values: SettingsInput
  output: OutputInput
  stored: Prompt
}): string[] {
  const { fallbackModel, moreFallbackModels } = settingsOf(stored)
  const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
  const areFallbacksSaved = isSame(
    [values.fallbackModel, values.moreFallbackModels],
    [fallbackModel, moreFallbackModels],
  )
  return [
    ...(isSame(output, stored.output ?? { type: 'text' }) ? [] : ['the output']),
    ...(areFallbacksSaved ? [] : ['the fallback models']),
  ]
}
