import { OUTPUT_NAME_MAX } from '@catenary/contracts'

/** A name like the given one that no step's output has yet. */
export function freeOutputName({
  name,
  steps,
}: {
  name: string
  steps: readonly { outputVariableName: string }[]
}): string {
  const taken = new Set(steps.map((step) => step.outputVariableName.toLowerCase()))
  const stem = name.replace(/_\d+$/, '')
  for (let number = 2; ; number += 1) {
    const ending = `_${number}`
    const candidate = stem.slice(0, OUTPUT_NAME_MAX - ending.length) + ending
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
