import type { AskedSettings, Prompt, Turn } from '@catenary/contracts'
import * as z from 'zod'
import type { OutputInput } from './output/output-value.ts'
import { settingsForm } from './settings-form.ts'
import { type SettingsInput, settingsOf } from './settings-value.ts'

/** What of the settings a run can be given anew. */
export type RunSettings = Pick<AskedSettings, 'effort' | 'temperature' | 'maxTokens' | 'stop'>

/** A prompt as its form has it now, to be run before it is saved. */
export interface Trial {
  template: string
  systemPrompt: string
  messages: readonly Turn[]
  settings: RunSettings
  /** Null where none is preset. */
  model: string | null
  /** Why it can't be run with those settings; null: it can. */
  problem: string | null
  /** What isn't as it is saved, and that a run takes as it is saved; empty: all is tried. */
  untried: readonly string[]
}

/** What a form that isn't saved is tried with. */
export function trialOf({
  values,
  stored,
  tokensLabel,
}: {
  values: SettingsInput & { content: string; model: string | null; output: OutputInput }
  /** Null for a new one. */
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
