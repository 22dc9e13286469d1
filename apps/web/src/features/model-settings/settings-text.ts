import type { AskedSettings, Effort, ForEach, JsonOutput } from '@catenary/contracts'
import type { ConflictRows } from '../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../components/text-diff/field-changes.tsx'
import { readyNumberOf } from '../../lib/text/number-of.ts'
import { showOutput } from './output/output-form.ts'
import type { OutputInput } from './output/output-value.ts'
import type { SettingsInput, StoredSettings } from './settings-value.ts'
import { settingsOf } from './settings-value.ts'

export const EFFORT_LABELS: Readonly<Record<Effort, string>> = {
  none: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
}
const DEFAULT = 'the model’s default'

export function settingRows({
  nameOf = (alias) => alias,
  tokensLabel,
}: {
  nameOf?: (alias: string) => string
  tokensLabel: string
}) {
  return {
    fallbackModel: {
      label: 'Fallback model',
      show: ({ fallbackModel }) => (fallbackModel === null ? 'None' : nameOf(fallbackModel)),
    },
    moreFallbackModels: {
      label: 'More fallback models',
      show: ({ moreFallbackModels }) => moreFallbackModels.map(nameOf).join(', ') || 'None',
    },
    effort: { label: 'Effort', show: ({ effort }) => (effort === null ? DEFAULT : EFFORT_LABELS[effort]) },
    temperature: { label: 'Temperature', show: ({ temperature }) => temperature || DEFAULT },
    maxTokens: { label: tokensLabel, show: ({ maxTokens }) => maxTokens || DEFAULT },
    stop: {
      label: 'Stop texts',
      show: ({ stop }) => stop.map((text) => JSON.stringify(text)).join(', ') || 'None',
    },
    systemPrompt: { label: 'System prompt', show: ({ systemPrompt }) => systemPrompt },
    messages: { label: 'Turns', show: ({ messages }) => showTurns(messages) },
  } as const satisfies ConflictRows<SettingsInput>
}

export function showTurns(turns: readonly { role: 'user' | 'assistant'; content: string }[]): string {
  return turns
    .map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`)
    .join('\n\n')
}

/** The short settings of which two versions differ: system prompt and turns are texts, compared as such. */
export function settingChanges({
  before,
  after,
  nameOf,
  tokensLabel,
}: {
  before: StoredSettings
  after: StoredSettings
  nameOf: (alias: string) => string
  tokensLabel: string
}): FieldChange[] {
  const { systemPrompt: _, messages: _turns, ...rows } = settingRows({ nameOf, tokensLabel })
  const [left, right] = [settingsOf(before), settingsOf(after)]
  return Object.values(rows)
    .map(({ label, show }) => ({ label, before: show(left), after: show(right) }))
    .filter((change) => change.before !== change.after)
}

/** The settings that are texts, and differ: system prompt, turns, and the form of the answer. */
export function settingTextChanges({
  before,
  after,
}: Record<'before' | 'after', StoredSettings & Pick<AskedSettings, 'output'>>): FieldChange[] {
  const outputOf = ({ output }: Pick<AskedSettings, 'output'>) => showOutput(output ?? { type: 'text' })
  const texts: FieldChange[] = [
    { label: 'System prompt', before: before.systemPrompt ?? '', after: after.systemPrompt ?? '' },
    { label: 'Turns', before: showTurns(before.messages ?? []), after: showTurns(after.messages ?? []) },
    { label: 'Output', before: outputOf(before), after: outputOf(after) },
  ]
  return texts.filter((text) => text.before !== text.after)
}

/** What was asked of a model, in words: `effort high`, `at most 1,200 tokens`. */
export function settingWords(asked: AskedSettings): string[] {
  const { effort, temperature, maxTokens, stop = [], output, forEach } = asked
  return [
    ...(forEach === undefined ? [] : [loopWords(forEach)]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(maxTokens === undefined ? [] : [`at most ${maxTokens.toLocaleString('en')} tokens`]),
    ...(stop.length === 0 ? [] : [`${stop.length} stop ${stop.length === 1 ? 'text' : 'texts'}`]),
    ...(output === undefined ? [] : [outputWords(output)]),
  ]
}

/** `for each item of triage.items, up to 50` */
export function loopWords({
  list,
  as,
  max,
}: Record<keyof Pick<ForEach, 'list' | 'as' | 'max'>, unknown>): string {
  return `for each ${as} of ${list}, up to ${max}`
}

function outputWords({ schema }: JsonOutput): string {
  const { properties } = schema
  const count = typeof properties === 'object' && properties !== null ? Object.keys(properties).length : 0
  return count === 0 ? 'JSON' : `JSON, ${count} ${count === 1 ? 'field' : 'fields'}`
}

export function settingsLine(settings: AskedSettings): string {
  const line = settingWords(settings).join(' · ')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

export function settingsSummary({
  model,
  fallbacks,
  effort,
  temperature,
  maxTokens,
  stop,
  systemPrompt,
  messages,
  output,
}: SettingsInput & { model: string | null; fallbacks: readonly string[]; output: OutputInput }): string {
  const words = settingWords({
    effort: effort ?? undefined,
    temperature: readyNumberOf(temperature),
    maxTokens: readyNumberOf(maxTokens),
    stop,
    output: 'schema' in output ? output : undefined,
  })
  const form = output.type === 'text' ? ['text'] : 'schema' in output ? [] : ['JSON, unfinished']
  const other = fallbacks.length === 0 ? [] : [`else ${fallbacks.join(', ')}`]
  const before = [
    ...(systemPrompt.trim() === '' ? [] : ['system text']),
    ...(messages.length === 0 ? [] : [`${messages.length} ${messages.length === 1 ? 'turn' : 'turns'}`]),
  ]
  return [model ?? 'no model set', ...other, ...words, ...form, ...before].join(' · ')
}
