import {
  CHAIN_INPUT_NAMES,
  type Comparison,
  type Condition,
  type ForEach,
  type InnerConditions,
  ITEM_NAMES,
  type OwnFields,
  ownTextsOf,
  type StepSettings,
  withOwnTexts,
} from '@catenary/contracts'
import { renameVariable } from '../template/rename-variable.ts'

type Part = Condition | InnerConditions | Comparison

/** The names that it reads, each once, in order. */
export function namesInCondition(part: Part): string[] {
  if ('op' in part) return [part.ref]
  const parts: readonly Part[] = 'any' in part ? part.any : part.all
  return [...new Set(parts.flatMap(namesInCondition))]
}

/** The reference that a text would hold for a name: an output goes before a variable of that name. */
export function referenceOf(ref: string, isOutput: (name: string) => boolean): string {
  return isOutput(headOf(ref)) ? `{{${ref}}}` : `$<${ref}>`
}

/** The name of which it may take a field. */
export const headOf = (ref: string): string => ref.split(/[.[]/, 1)[0] ?? ref

type Looping = Pick<ForEach, 'as'> | null | undefined

/** Whether a name means the item of the step that has it, or its number. */
export function isItemName(name: string, forEach: Looping): boolean {
  return forEach != null && (name === forEach.as || name === ITEM_NAMES.number)
}

/** Whether a condition names the item: then it is asked for each. */
export function asksEachItem(condition: Condition, forEach: Looping): boolean {
  return namesInCondition(condition).some((ref) => isItemName(headOf(ref), forEach))
}

const isChainInput = (name: string): boolean => CHAIN_INPUT_NAMES.includes(name)

interface Flow extends OwnFields {
  onlyIf?: StepSettings['onlyIf'] | null
  forEach?: StepSettings['forEach'] | null
}

/** What a step's condition looks at, the list of its items, and the texts of its kind, as one template. */
export function flowTemplate({ onlyIf, forEach, ...own }: Flow, isOutput = isChainInput): string {
  const asked = onlyIf ? namesInCondition(onlyIf) : []
  const isKnown = (name: string) => isItemName(name, forEach) || isOutput(name)
  const names = asked.map((name) => referenceOf(name, isKnown))
  const list = forEach ? [referenceOf(forEach.list, isOutput)] : []
  return [...ownTextsOf(own), ...names, ...list].filter((text) => text !== '').join('\n')
}

interface NamedStep extends Flow {
  outputVariableName: string
}

/** For each step the names that are outputs where it stands: the run’s input, and what earlier steps make. */
export function outputsBefore(
  steps: readonly Pick<NamedStep, 'outputVariableName'>[],
): ((name: string) => boolean)[] {
  const made = new Set(CHAIN_INPUT_NAMES)
  return steps.map(({ outputVariableName }) => {
    const known = new Set(made)
    made.add(outputVariableName)
    return (name) => known.has(name)
  })
}

/** Renames a variable in what a step’s flow says; an output or item of that name stays. */
export function renameInFlow<Of extends Flow>(
  flow: Of,
  { from, to, isOutput }: { from: string; to: string; isOutput: (name: string) => boolean },
): Of {
  const wanted = from.toLowerCase()
  const rename = (ref: string) => (ref.toLowerCase() === wanted && !isOutput(ref) ? to : ref)
  const { onlyIf, forEach } = flow
  const inText = (source: string) => renameVariable({ source, from, to })
  const renameAsked = (ref: string) => (isItemName(ref, forEach) ? ref : rename(ref))
  return {
    ...flow,
    ...(onlyIf && { onlyIf: withRefs(onlyIf, renameAsked) }),
    ...(forEach && { forEach: { ...forEach, list: rename(forEach.list) } }),
    ...withOwnTexts(flow, inText),
  }
}

function withRefs(condition: Condition, rename: (ref: string) => string): Condition {
  const renamed = (part: Comparison): Comparison => ({ ...part, ref: rename(part.ref) })
  const inner = (part: Comparison | InnerConditions): Comparison | InnerConditions => {
    if ('op' in part) return renamed(part)
    return 'any' in part ? { any: part.any.map(renamed) } : { all: part.all.map(renamed) }
  }
  return 'any' in condition ? { any: condition.any.map(inner) } : { all: condition.all.map(inner) }
}
