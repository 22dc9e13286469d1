import { type User, valueOrigins } from '@catenary/contracts'
import { type Context, transaction } from '../../../platform/context.ts'
import type { HeldRun } from '../engine/leases.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { usesPrivateValues } from '../engine/private-values.ts'
import {
  lostTooOften,
  MAX_LOST_WORKERS,
  type RunFailure,
  runnerDisabled,
  stoppedBeforeStart,
} from '../engine/run-ending.ts'
import { toRunInput, toRunValues } from '../engine/run-input.ts'
import { listStepRows, type StepRow } from '../history/runs.sql.ts'
import type { NewChainRun } from './started-run.sql.ts'
import { type Claim, type EndedRun, endChainRun, type StepEnd } from './step-ends.sql.ts'

export interface ChainPlan {
  user: User
  outputs: Map<string, string>
  jsonOutputs: Map<string, string>
  values: Map<string, string>
  steps: PlannedStep[]
  /** What the run would give if it ended now: the output of the last step that had one. */
  output: string
  mayUsePrivateValues: boolean
  /** A step that has begun took a private value in (D89). */
  tookInPrivate: boolean
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  /** How deeply it is nested in calls of this server; null for a run that none began. */
  depth: number | null
}

export interface NewRun {
  user: User
  record: Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'>
}

export function toChainPlan({ user, record }: NewRun): ChainPlan {
  const { plan: steps, trigger, apiCall, privateValues: mayUsePrivateValues } = record
  const depth = apiCall?.depth ?? null
  const [outputs, values] = [toRunInput(record), toRunValues(record)]
  const nothingYet = { output: '', jsonOutputs: new Map<string, string>(), tookInPrivate: false }
  return { user, outputs, ...nothingYet, values, steps, mayUsePrivateValues, trigger, depth }
}

export function keepOutput(
  { outputs, jsonOutputs }: Pick<ChainPlan, 'outputs' | 'jsonOutputs'>,
  { outputVariableName: name, position, schema, ask }: PlannedStep,
  text: string,
): void {
  if (name === '') return
  outputs.set(name, text)
  if (schema?.isOwn || ask) jsonOutputs.set(name, `step ${position + 1}`)
  else jsonOutputs.delete(name)
}

type EndedStep = Pick<StepRow, 'aiResponse' | 'skipReason'> & Partial<Pick<StepRow, 'resolved'>>

/** What the run has given by now: the output of the last step that had one; a skipped one has its default, if any. */
export function outputOf({ plan, completed }: { plan: PlannedStep[]; completed: EndedStep[] }): string {
  const last = completed.findLast(
    ({ skipReason }, index) => skipReason === null || plan[index]?.default !== undefined,
  )
  return last?.aiResponse ?? ''
}

export async function openClaimed(ctx: Context, run: HeldRun): Promise<ChainPlan | undefined> {
  // Nobody has claimed it before.
  return run.attempt === 1 ? openPlan(ctx, { run, completed: [] }) : loadChainPlan(ctx, run)
}

export async function loadChainPlan(ctx: Context, run: HeldRun): Promise<ChainPlan | undefined> {
  return openPlan(ctx, { run, completed: await listStepRows(ctx.db, run.id) })
}

interface OpenedRun {
  run: HeldRun
  completed: EndedStep[]
}

async function openPlan(ctx: Context, { run, completed }: OpenedRun): Promise<ChainPlan | undefined> {
  const { id, attempt, plan, runner, trigger, apiCall } = run
  const steps = plan.slice(completed.length)
  const end = endOf({ run, next: steps[0] })
  if (end !== undefined) {
    await transaction(ctx, (ctx) => endChainRun(ctx.db, { executionId: id, attempt, ...end }))
    return undefined
  }
  const known = { outputs: toRunInput(run), jsonOutputs: new Map<string, string>() }
  const output = outputOf({ plan, completed })
  for (const [index, { aiResponse }] of completed.entries()) {
    const step = plan[index]
    if (step) keepOutput(known, step, aiResponse ?? '')
  }
  const { id: userId, username, email, role } = runner
  return {
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    ...known,
    output,
    values: toRunValues(run),
    steps,
    mayUsePrivateValues: run.privateValues !== false,
    tookInPrivate: completed.some(({ resolved }) => usesPrivateValues(valueOrigins.parse(resolved ?? {}))),
    trigger,
    depth: apiCall?.depth ?? null,
  }
}

function endOf({
  run,
  next,
}: {
  run: Pick<HeldRun, 'cancelRequested' | 'lostWorkers' | 'lostAt' | 'runner'>
  next: PlannedStep | undefined
}): Omit<EndedRun, keyof Claim> | undefined {
  const endAs = ({ status, message, code }: RunFailure) => ({ status, error: message, errorCode: code })
  if (run.cancelRequested) return endAs(stoppedBeforeStart)
  if (run.runner.isDisabled) return endAs(runnerDisabled)
  if (next === undefined || run.lostAt !== next.position || run.lostWorkers < MAX_LOST_WORKERS)
    return undefined
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
