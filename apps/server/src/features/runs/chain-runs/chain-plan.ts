import { KIND_OF_STEP, type User, valueOrigins } from '@catenary/contracts'
import { type Context, transaction } from '../../../platform/context.ts'
import type { HeldRun } from '../engine/leases.sql.ts'
import { firstLeft, kindOf, type PlannedStep } from '../engine/planned-step.ts'
import { usesPrivateValues } from '../engine/private-values.ts'
import {
  lostTooOften,
  MAX_LOST_WORKERS,
  type RunFailure,
  runnerDisabled,
  stoppedBeforeStart,
} from '../engine/run-ending.ts'
import { jsonInputs, toRunInput, toRunValues } from '../engine/run-input.ts'
import { listStepRows, type StepRow } from '../history/runs.sql.ts'
import type { NewChainRun } from './started-run.sql.ts'
import { type Claim, type EndedRun, endChainRun, type StepEnd } from './step-ends.sql.ts'

export interface ChainPlan {
  user: User
  outputs: Map<string, string>
  jsonOutputs: Map<string, string>
  values: Map<string, string>
  /** Those that are left, and what has ended behind the first of them. */
  steps: PlannedStep[]
  /** By its position what of these has ended: an item before it is run again. Absent: nothing. */
  ended?: ReadonlyMap<number, EndedStep> | undefined
  /** Calls of models by the run's steps, without those for items. */
  singleCalls: number
  /** Another process may have run some of the items. */
  mayHaveItems: boolean
  /** How many processes died while they ran its next step. */
  lostWorkers: number
  /** What the run would give if it ended now: the output of the last step that had one. */
  output: string
  /** Shared with the plans of items, which are copies. */
  privacy: {
    /** Others learn nothing of the run any more. */
    mayUse: boolean
    /** A step that has begun took a private value in (D89). */
    tookIn: boolean
  }
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  /** How deeply it is nested in calls of this server; null for a run that none began. */
  depth: number | null
}

export interface NewRun {
  user: User
  record: Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'>
}

export function toChainPlan({ user, record }: NewRun): ChainPlan {
  const { plan: steps, trigger, apiCall, privateValues } = record
  const depth = apiCall?.depth ?? null
  const [outputs, values] = [toRunInput(record), toRunValues(record)]
  const nothingYet = {
    output: '',
    jsonOutputs: jsonInputs(),
    mayHaveItems: false,
    lostWorkers: 0,
  }
  const privacy = { mayUse: privateValues, tookIn: false }
  const singleCalls = countSingleCalls(steps)
  return { user, outputs, ...nothingYet, values, steps, singleCalls, privacy, trigger, depth }
}

/** A model or a service. */
const calls = (step: PlannedStep) => step.given === undefined && KIND_OF_STEP[kindOf(step)].mayLoop

const countSingleCalls = (steps: PlannedStep[]) =>
  steps.reduce((count, step) => count + (step.forEach || !calls(step) ? 0 : 1), 0)

export function keepOutput(
  { outputs, jsonOutputs }: Pick<ChainPlan, 'outputs' | 'jsonOutputs'>,
  { outputVariableName: name, position, schema, forEach, ...step }: PlannedStep,
  text: string,
): void {
  if (name === '') return
  outputs.set(name, text)
  const isJson = forEach
    ? forEach.result === 'json'
    : schema?.isOwn || KIND_OF_STEP[kindOf(step)].givesJson(step)
  if (isJson) jsonOutputs.set(name, `the answer of step ${position + 1}`)
  else jsonOutputs.delete(name)
}

export type EndedStep = Pick<StepRow, 'position' | 'aiResponse' | 'skipReason'> &
  Partial<Pick<StepRow, 'resolved'>>

/** What the run has given by now: the output of the last step that had one; a skipped one has its default, if any. */
export function outputOf({ plan, completed }: { plan: PlannedStep[]; completed: EndedStep[] }): string {
  const last = completed.findLast(
    ({ position, skipReason }) => skipReason === null || plan[position]?.default !== undefined,
  )
  return last?.aiResponse ?? ''
}

/** Goes past a step that ended before one that is run again. */
export function keepEnded(plan: ChainPlan, { step, ended }: { step: PlannedStep; ended: EndedStep }): void {
  const output = ended.aiResponse ?? ''
  keepOutput(plan, step, output)
  if (ended.skipReason === null || step.default !== undefined) plan.output = output
}

/** Whether a step is the last that is left. */
export function isLast({ plan: { steps, ended }, step }: { plan: ChainPlan; step: PlannedStep }): boolean {
  if (ended === undefined) return step === steps.at(-1)
  return steps.every(({ position }) => position <= step.position || ended.has(position))
}

/** What the run gives where it ends with that of a step; those behind it may have ended before. */
export function outputWith({
  plan,
  step,
  text,
}: {
  plan: ChainPlan
  step: PlannedStep
  text: string
}): string {
  const { steps, ended } = plan
  const behind = steps.findLast((each) => {
    const end = each.position > step.position ? ended?.get(each.position) : undefined
    return end && (end.skipReason === null || each.default !== undefined)
  })
  return behind ? (ended?.get(behind.position)?.aiResponse ?? '') : text
}

export async function openClaimed(ctx: Context, run: HeldRun): Promise<ChainPlan | undefined> {
  // Nobody has claimed it before.
  return run.attempt === 1 ? openPlan(ctx, { run, rows: [] }) : loadChainPlan(ctx, run)
}

export async function loadChainPlan(ctx: Context, run: HeldRun): Promise<ChainPlan | undefined> {
  return openPlan(ctx, { run, rows: await listStepRows(ctx.db, run.id) })
}

interface OpenedRun {
  run: HeldRun
  rows: (EndedStep & Pick<StepRow, 'status'>)[]
}

async function openPlan(ctx: Context, { run, rows }: OpenedRun): Promise<ChainPlan | undefined> {
  const { id, attempt, plan, runner, trigger, apiCall, takenFrom } = run
  const completed = rows.filter(({ status }) => status === 'completed')
  const first = firstLeft(completed)
  const steps = plan.slice(first)
  const [before, behind] = [
    completed.filter(({ position }) => position < first),
    completed.filter(({ position }) => position > first),
  ]
  const end = endOf({ run, next: steps[0], rows: rows.length })
  if (end !== undefined) {
    await transaction(ctx, (ctx) => endChainRun(ctx.db, { executionId: id, attempt, ...end }))
    return undefined
  }
  const known = { outputs: toRunInput(run), jsonOutputs: jsonInputs() }
  const output = outputOf({ plan, completed: before })
  for (const { position, aiResponse } of before) {
    const step = plan[position]
    if (step) keepOutput(known, step, aiResponse ?? '')
  }
  const { id: userId, username, email, role } = runner
  return {
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    ...known,
    output,
    values: toRunValues(run),
    steps,
    singleCalls: countSingleCalls(plan),
    mayHaveItems: run.attempt > 1,
    lostWorkers: run.lostWorkers,
    ...(behind.length > 0 && { ended: new Map(behind.map((each) => [each.position, each])) }),
    privacy: {
      mayUse: run.privateValues !== false,
      tookIn:
        takenFrom?.tookIn === true ||
        completed.some(({ resolved }) => usesPrivateValues(valueOrigins.parse(resolved ?? {}))),
    },
    trigger,
    depth: apiCall?.depth ?? null,
  }
}

function endOf({
  run,
  next,
  rows,
}: {
  run: Pick<HeldRun, 'cancelRequested' | 'lostWorkers' | 'lostAt' | 'runner'>
  next: PlannedStep | undefined
  /** So many there were when its process died. */
  rows: number
}): Omit<EndedRun, keyof Claim> | undefined {
  const endAs = ({ status, message, code }: RunFailure) => ({ status, error: message, errorCode: code })
  if (run.cancelRequested) return endAs(stoppedBeforeStart)
  if (run.runner.isDisabled) return endAs(runnerDisabled)
  if (next === undefined || run.lostAt !== rows || run.lostWorkers < MAX_LOST_WORKERS) return undefined
  return { ...endAs(lostTooOften), end: notCalled(next) }
}

function notCalled(step: PlannedStep): StepEnd {
  const nothing = { startedAt: null, inputContent: null, aiResponse: null, durationMs: null }
  const { systemPrompt } = step
  return {
    step,
    systemPrompt,
    messages: null,
    settings: null,
    ...nothing,
    inputSegments: [],
    resolved: {},
    retries: 0,
    limitWaitMs: 0,
  }
}
