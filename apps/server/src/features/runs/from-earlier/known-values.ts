import { CHAIN_INPUT_NAMES } from '@catenary/contracts'
import { keepOutput } from '../chain-runs/chain-plan.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { jsonInputs, toRunInput, toRunValues } from '../engine/run-input.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import type { EarlierRun } from './open-earlier.ts'

/** What a step of the chain as it is now can take from an earlier run. */
export interface KnownValues {
  outputs: Map<string, string>
  jsonOutputs: Map<string, string>
  values: Map<string, string>
  /** Names of inputs and of earlier steps' outputs that the step reads, and that the run does not have. */
  missing: string[]
  /** Whether a name, or what it takes a field of, is one of these. */
  isMissing: (ref: string) => boolean
  /** Names that the step reads whose values came from outside. */
  outsideIn: (read: {
    step: PlannedStep
    resolved: RenderedStep['resolved']
    earlier: EarlierRun | undefined
  }) => string[]
}

interface Known {
  earlier: EarlierRun | undefined
  /** Of the chain as it is now. */
  steps: readonly PlannedStep[]
  position: number
  /** What the person enters goes before what the run had. */
  typed: Readonly<Record<string, string>>
}

export function knownFrom({ earlier, steps, position, typed }: Known): KnownValues {
  const outputs = earlier ? toRunInput(earlier) : new Map<string, string>()
  const jsonOutputs = jsonInputs()
  for (const step of steps.slice(0, position)) {
    const ended = earlier && endedAs(step, earlier)
    if (ended) keepOutput({ outputs, jsonOutputs }, step, ended.aiResponse ?? '')
  }
  const values = new Map([...(earlier ? toRunValues(earlier) : []), ...Object.entries(typed)])
  for (const name of CHAIN_INPUT_NAMES) values.delete(name)
  const missing = (steps[position]?.reads ?? []).filter((name) => !outputs.has(name))
  return {
    outputs,
    jsonOutputs,
    values,
    missing,
    isMissing: (ref) => missing.includes(ref.split(/[.[]/, 1)[0] ?? ref),
    outsideIn({ step: { reads = [] }, resolved, earlier }) {
      const isOutside = (name: string) => earlier?.outside.outputs.has(name) === true
      const fetched = Object.keys(resolved).filter((name) => {
        const { type, error } = resolved[name] ?? {}
        const isCalled = type === 'typed' && earlier?.outside.isCalled === true && !Object.hasOwn(typed, name)
        return error === null && (type === 'api' || isCalled)
      })
      return [...new Set([...fetched, ...reads.filter(isOutside)])]
    },
  }
}

/** The step of the run that made the output which a step makes now, if it has ended; a step without output is known by its id. */
export function endedAs({ id, outputVariableName: name }: PlannedStep, { steps }: Pick<EarlierRun, 'steps'>) {
  const found = steps.find((step) => (name === '' ? step.id === id : step.outputVariableName === name))
  return found && (found.status === 'completed' || isSkipped(found)) ? found : undefined
}

/** A step behind the one that ended the run had no turn, and so no output, not even an empty one. */
const isSkipped = ({ status, aiResponse }: EarlierRun['steps'][number]) =>
  status === 'skipped' && aiResponse !== null
