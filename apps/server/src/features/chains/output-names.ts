import { ITEM_NAMES, OUTPUT_NAME_MAX } from '@catenary/contracts'
import { fieldError } from '../../errors.ts'
import type { StepFields } from './chain-rows.sql.ts'

interface Naming {
  name: string
  others: { outputVariableName: string }[]
}

/** Output names are unique in their chain without regard to case (D32). */
export function requireFreeName({ name, others }: Naming): void {
  const taken =
    name !== '' && others.some((other) => other.outputVariableName.toLowerCase() === name.toLowerCase())
  if (!taken) return
  throw fieldError(
    'outputVariableName',
    `Another step of this chain already has the output ${name}`,
    'conflict',
  )
}

/** What the item and its number are called in a step that runs for each of a list. */
export function requireOutputName({
  outputVariableName: name,
}: Partial<Pick<StepFields, 'outputVariableName'>>): void {
  const isTaken = Object.values(ITEM_NAMES).some((taken) => taken === name?.toLowerCase())
  if (isTaken)
    throw fieldError(
      'outputVariableName',
      `{{${name}}} is what a step calls an item of its list, or its number. Choose another output variable name.`,
    )
}

export function requireItemName({
  fields: { forEach },
  earlier,
}: {
  fields: Partial<Pick<StepFields, 'forEach'>>
  earlier: { outputVariableName: string }[]
}): void {
  const as = forEach?.as ?? ITEM_NAMES.item
  const isTaken = earlier.some(
    ({ outputVariableName }) => outputVariableName.toLowerCase() === as.toLowerCase(),
  )
  if (forEach && isTaken)
    throw fieldError('forEach.as', `An earlier step has the output ${as}. Choose another name for the item.`)
}

/** `draft` → `draft_2`, `draft_2` → `draft_3`: the first that is free. */
export function nextOutputName({ name, others }: Naming): string {
  const taken = new Set(others.map((other) => other.outputVariableName.toLowerCase()))
  const base = name.replace(/(?<=.)_[0-9]+$/, '')
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`
    const candidate = base.slice(0, OUTPUT_NAME_MAX - suffix.length) + suffix
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
