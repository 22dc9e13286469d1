import type { StepStatus } from '@catenary/contracts'

/** The sum of what is known; null when nothing is. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** The sum of all; null while one of them is not known. */
export function sumAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : (sumKnown(values) ?? 0)
}

/** The sum over steps; null while it is unknown for a completed one, as a part would pass for the whole. */
export function sumOfSteps<Key extends string>(
  steps: readonly ({ status: StepStatus } & Record<Key, number | null>)[],
  key: Key,
): number | null {
  const isWhole = steps.every((step) => step.status !== 'completed' || step[key] !== null)
  return isWhole ? sumKnown(steps.map((step) => step[key])) : null
}
