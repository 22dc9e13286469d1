import { MissingFieldError, readerOf, renderCall } from '@catenary/domain'
import type { ShownCall } from '../../../asks/asked-steps.sql.ts'
import type { PlannedStep } from '../../../engine/planned-step.ts'
import type { ChainPlan } from '../../chain-plan.ts'

type Known = Pick<ChainPlan, 'outputs' | 'jsonOutputs'>

interface Shown extends Known {
  step: PlannedStep
  /** Outputs that are not known yet, by their names. */
  unknown: readonly string[]
}

/** What later steps send that take the output of a step which asks: that, and nothing else, its people let go (D85). */
export function callsBehind(
  { steps, outputs, jsonOutputs }: Known & Pick<ChainPlan, 'steps'>,
  { position, outputVariableName: name }: PlannedStep,
): ShownCall[] {
  const unknown = steps.flatMap((step) => (step.position >= position ? step.outputVariableName : []))
  return steps
    .filter((step) => step.position > position && sendsWith(step, name))
    .map((step) => ({
      stepId: step.id,
      position: step.position,
      title: step.title,
      text: showCall({ outputs, jsonOutputs, step, unknown }),
      unknown,
    }))
}

export const sendsWith = ({ tool, given, reads = [] }: PlannedStep, name: string): boolean =>
  tool !== undefined && given === undefined && name !== '' && reads.includes(name)

/** Variables stand by their names: a value of its runner’s is nobody else’s to see before it is sent. */
export function showCall({ step: { tool }, outputs, jsonOutputs, unknown }: Shown): string {
  if (tool === undefined) return ''
  const isKnown = ([name]: [string, string]) => !unknown.includes(name)
  const known = new Map([...outputs].filter(isKnown))
  // References are read alike before and after the answer: what is not known yet may have fields.
  const areJson = new Map([
    ...[...jsonOutputs].filter(isKnown),
    ...unknown.map((name) => [name, ''] as const),
  ])
  const read = readerOf({ variables: new Map<string, string>(), outputs: known, jsonOutputs: areJson })
  /** An address has each of its values encoded, these names too. */
  const names = new Map<string, string>()
  const { shown } = renderCall(tool, {
    syntax: { outputs: true, jsonOutputs: areJson },
    read(token) {
      const value = readKnown(() => read(token))
      if (value) return value
      names.set(encodeURIComponent(token.raw), token.raw)
      return { text: token.raw }
    },
  })
  return shown.map(({ text, from }) => (from === null ? text : (names.get(text) ?? text))).join('')
}

function readKnown<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof MissingFieldError) return undefined
    throw error
  }
}
