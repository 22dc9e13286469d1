import type { ListedRunStep } from '@catenary/contracts'
import { settingsLine, showTurns } from '../../../model-settings/settings-text.ts'
import { itemsText } from '../items/items-text.ts'

export interface StepPair {
  name: string
  before: ListedRunStep | null
  after: ListedRunStep | null
}

/** Steps that make the same output belong together, wherever they stand; in the order of the later run. */
export function pairSteps({
  before,
  after,
}: {
  before: readonly ListedRunStep[]
  after: readonly ListedRunStep[]
}): StepPair[] {
  const nameOf = (step: ListedRunStep) => step.outputVariableName || `step ${step.position + 1}`
  const earlier = new Map(before.map((step) => [nameOf(step), step]))
  const pairs: StepPair[] = after.map((step) => {
    const name = nameOf(step)
    return { name, before: earlier.get(name) ?? null, after: step }
  })
  const paired = new Set(pairs.map(({ name }) => name))
  for (const step of before) {
    const name = nameOf(step)
    if (!paired.has(name)) pairs.push({ name, before: step, after: null })
  }
  return pairs
}

const itemsOf = ({ itemCounts }: ListedRunStep): string => (itemCounts ? itemsText(itemCounts) : '')

export function differencesOf({ before, after }: StepPair): string[] {
  if (!before) return ['only in the later run']
  if (!after) return ['only in the earlier run']
  const isCut = before.contentClipped === true || after.contentClipped === true
  const differences = [
    before.position !== after.position && 'position',
    before.model !== after.model && 'model',
    itemsOf(before) !== itemsOf(after) && 'items',
    before.status !== after.status && 'status',
    (before.inputContent ?? '') !== (after.inputContent ?? '') && 'input',
    before.systemPrompt !== after.systemPrompt && 'system prompt',
    settingsLine(before.settings ?? {}) !== settingsLine(after.settings ?? {}) && 'settings',
    showTurns(before.messages ?? []) !== showTurns(after.messages ?? []) && 'turns',
    (before.aiResponse ?? '') !== (after.aiResponse ?? '') && 'output',
  ].filter((difference) => difference !== false)
  return isCut && differences.length === 0 ? ['same beginning'] : differences
}
