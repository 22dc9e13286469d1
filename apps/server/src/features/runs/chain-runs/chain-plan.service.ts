import type { User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { Lease } from '../engine/leases.repository.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { toRunInput, toRunValues } from '../engine/run-input.ts'
import { findOptionalRun, findRunner, findRunTexts, listStepRows } from '../history/runs.repository.ts'
import { endOf } from './early-ends.service.ts'
import type { NewChainRun } from './new-chain-run.ts'
import { endChainRun } from './step-ends.repository.ts'

/** What is left of a chain's run. */
export interface ChainPlan {
  /** Whose rights and variables count. */
  user: User
  /** Values of the double-brace references: the input, and the outputs so far. */
  outputs: Map<string, string>
  /** Those of them that are JSON by a schema, with the step that made them. */
  jsonOutputs: Map<string, string>
  /** Values that take precedence over stored variables. */
  values: Map<string, string>
  steps: PlannedStep[]
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  /** How deeply it is nested in calls of this server; null for a run that none began. */
  depth: number | null
}

export interface NewRun {
  user: User
  record: Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'>
}

export function toChainPlan({ user, record }: NewRun): ChainPlan {
  const { plan: steps, trigger, apiCall } = record
  const depth = apiCall?.depth ?? null
  const [outputs, values] = [toRunInput(record), toRunValues(record)]
  return { user, outputs, jsonOutputs: new Map(), values, steps, trigger, depth }
}

/** What later steps take of a step that has completed. */
export function keepOutput(
  { outputs, jsonOutputs }: Pick<ChainPlan, 'outputs' | 'jsonOutputs'>,
  { outputVariableName: name, position, schema }: PlannedStep,
  text: string,
): void {
  outputs.set(name, text)
  if (schema?.isOwn) jsonOutputs.set(name, `step ${position + 1}`)
  else jsonOutputs.delete(name)
}

/** What is left of a run that was taken over; undefined when nothing is. */
export async function loadChainPlan(db: Database, { id, attempt }: Lease): Promise<ChainPlan | undefined> {
  const found = await findOptionalRun(db, id)
  const texts = await findRunTexts(db, id)
  const runner = found && (await findRunner(db, found.userId))
  if (found === undefined || texts === undefined || runner === undefined) return undefined
  const completed = await listStepRows(db, id)
  const plan = texts.plan as PlannedStep[]
  const steps = plan.slice(completed.length)
  const end = endOf({ run: found, isDisabled: runner.isDisabled, next: steps[0] })
  if (end !== undefined) {
    await db.transaction((tx) => endChainRun(tx, { executionId: id, attempt, ...end }))
    return undefined
  }
  const known = { outputs: toRunInput(texts), jsonOutputs: new Map<string, string>() }
  for (const [index, { aiResponse }] of completed.entries()) {
    const step = plan[index]
    if (step) keepOutput(known, step, aiResponse ?? '')
  }
  const { id: userId, username, email, role } = runner
  return {
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    ...known,
    values: toRunValues(texts),
    steps,
    trigger: found.trigger,
    depth: found.apiCall?.depth ?? null,
  }
}
