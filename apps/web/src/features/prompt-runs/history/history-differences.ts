import type { ListedPromptRun } from '@catenary/contracts'
import { settingsLine, showTurns } from '../../model-settings/settings-text.ts'
import { withoutValue } from '../run.ts'

export interface InputDifference {
  name: string
  value: string
}

type Inputs = Pick<
  ListedPromptRun,
  'variableValues' | 'userInput' | 'systemPrompt' | 'template' | 'resolved' | 'messages' | 'settings'
>

const NOTHING: Inputs = { variableValues: {}, userInput: '', systemPrompt: '', template: null }
const AS_STORED = 'as stored'
/** No variable can have a name with a space. */
const TEXT = 'the text'

/** The inputs of a run that the one before it did not have; for the first run, all. */
export function differencesOf({
  run,
  before = NOTHING,
}: {
  run: Inputs
  before?: Inputs | undefined
}): InputDifference[] {
  const differing = inputsThatDiffer([before, run])
  return differing.map(({ name, values: [, value = ''] }) =>
    name === TEXT ? { name, value: editOf({ run, before }) } : { name, value },
  )
}

function inputsOf({ variableValues, resolved, ...run }: Inputs): Map<string, string> {
  const { userInput, systemPrompt, template, messages = [], settings = {} } = run
  return new Map<string, string>([
    ...withoutValue(resolved).map((name) => [name, 'no value'] as const),
    ...Object.entries(variableValues),
    ['additional context', userInput || 'none'],
    ['system prompt', systemPrompt || 'none'],
    ['turns before it', showTurns(messages) || 'none'],
    ['run settings', settingsLine(settings) || 'none'],
    [TEXT, template ?? AS_STORED],
  ])
}

function editOf({ run: { template }, before }: { run: Inputs; before: Inputs }): string {
  if (template === null) return AS_STORED
  if (before.template === null) return 'edited copy'
  const earlier = new Set(before.template.split('\n'))
  return template.split('\n').find((line) => line.trim() !== '' && !earlier.has(line)) ?? 'edited copy'
}

export function inputsThatDiffer(runs: readonly Inputs[]): { name: string; values: string[] }[] {
  const all = runs.map(inputsOf)
  const typed = runs.flatMap(({ variableValues }) => Object.keys(variableValues))
  const missing = runs.flatMap(({ resolved }) => withoutValue(resolved))
  const names = new Set([...typed, ...missing, ...all.flatMap((inputs) => [...inputs.keys()])])
  return [...names]
    .map((name) => ({ name, values: all.map((inputs) => inputs.get(name) ?? AS_STORED) }))
    .filter(({ values }) => new Set(values).size > 1)
}
