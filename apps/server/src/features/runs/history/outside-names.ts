import { CHAIN_INPUT_NAMES, KIND_OF_STEP } from '@catenary/contracts'
import { namesFromOutside } from '@catenary/domain'
import { kindOf, type PlannedStep } from '../engine/planned-step.ts'
import type { RunRow, StepRow } from './runs.sql.ts'

interface ReadRun {
  run: Pick<RunRow, 'trigger' | 'takenFrom'>
  /** In running order. */
  rows: (Pick<StepRow, 'position' | 'outputVariableName' | 'skipReason'> & {
    fetchedNames: string[]
    typedNames: string[]
  })[]
  plan: Pick<PlannedStep, 'reads' | 'kind' | 'ask' | 'ends'>[] | null
}

const isOutside = (step: Parameters<typeof kindOf>[0] | undefined) =>
  step !== undefined && KIND_OF_STEP[kindOf(step)].isOutside === true

export interface FromOutside {
  /** By its position, what a step read. */
  names: ReadonlyMap<number, string[]>
  /** Inputs and outputs of the run. */
  outputs: ReadonlySet<string>
  /** Its input and values are those of the caller of a token. */
  isCalled: boolean
}

/** What of a run came from an API variable, a service or the caller of a token, also through the answers of its steps. */
export function findFromOutside({ run: { trigger, takenFrom }, rows, plan }: ReadRun): FromOutside {
  const isCalled = trigger === 'token' || takenFrom?.isCalled === true
  const steps = rows.map(({ position, outputVariableName, skipReason, fetchedNames, typedNames }) => ({
    outputName: outputVariableName ?? '',
    outputs: plan?.[position]?.reads ?? [],
    variables: [...fetchedNames, ...(isCalled ? typedNames : [])],
    isSkipped: skipReason !== null,
    isOutside: isOutside(plan?.[position]),
    isTaken: position < (takenFrom?.position ?? 0),
  }))
  const known = [...(takenFrom?.outside ?? []), ...(isCalled ? CHAIN_INPUT_NAMES : [])]
  const { names, outputs } = namesFromOutside(steps, known)
  return {
    names: new Map(rows.map(({ position }, index) => [position, names[index] ?? []])),
    outputs,
    isCalled,
  }
}
