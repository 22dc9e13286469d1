export interface ReadingStep {
  outputName: string
  /** Names of inputs and earlier outputs that it reads. */
  outputs: readonly string[]
  /** Names of its variables whose values came from outside. */
  variables: readonly string[]
  /** What it answered is not made of what it read: it was skipped, or ended before. */
  isSkipped: boolean
  /** Its answer came from outside whatever it read. */
  isOutside?: boolean
  /** It ran in another run, so that more may be known of its output. */
  isTaken?: boolean
}

/**
 * Of each step the names that it read whose values came from outside. What a step makes of such a value came from there,
 * too: `known` are the inputs and outputs of which that is known beforehand.
 */
export function namesFromOutside(
  steps: readonly ReadingStep[],
  known: Iterable<string>,
): { names: string[][]; outputs: Set<string> } {
  const outputs = new Set(known)
  const names = steps.map(({ outputName, outputs: read, variables, isSkipped, isTaken, isOutside }) => {
    const found = [...new Set([...variables, ...read.filter((name) => outputs.has(name))])]
    if ((isOutside || found.length > 0) && !isSkipped && outputName !== '') outputs.add(outputName)
    else if (!isTaken) outputs.delete(outputName)
    return found
  })
  return { names, outputs }
}
