import type { Condition } from '@catenary/contracts'
import {
  ConditionUnreadableError,
  evaluateCondition,
  extractVariables,
  namesInCondition,
  referenceOf,
} from '@catenary/domain'
import { retryWhileUnavailable } from '../../../database/failures/retry-while-unavailable.ts'
import { WorkRefused } from '../../../platform/bounded/work-refused.ts'
import type { Context } from '../../../platform/context.ts'
import { openPatterns } from '../../../platform/grading/patterns.ts'
import { consentExcept } from '../../records/records.ts'
import { resolveVariables } from '../../variables/variables.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import { attachTyped, type KnownValue } from '../engine/attachments.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { requireNoneWithheld, usesPrivateValues } from '../engine/private-values.ts'
import { MissingValueError } from '../engine/run-ending.ts'
import { readReference, typedValues } from '../engine/step-input.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import type { ChainPlan } from './chain-plan.ts'
import type { LoopState } from './loop-state.ts'
import type { RunRecord } from './run-records.ts'

export interface RunToGo {
  run: ActiveRun
  plan: ChainPlan
  record: RunRecord
  /** Asked before each step but the first: whether the run was released in favour of another. */
  yieldToOthers?: () => Promise<boolean>
  /** Whether that is worth asking between two items of a step. */
  isAwaited?: () => boolean
}

export interface RunningStep {
  step: PlannedStep
  startedAt: Date
  /** Monotonic, unlike the wall clock. */
  start: number
  /** What its condition read, and where its list came from. */
  read?: RenderedStep['resolved']
  input?: RenderedStep
  /** What became of its items, once its list is known. */
  loop?: LoopState
}

export type StepOfRunning = Pick<RunToGo, 'run' | 'plan' | 'record'> & { underWay: RunningStep }

/** What it takes to read a step's values, in a run or for a look at what it would send. */
export interface StepToGo extends Pick<RunToGo, 'plan'> {
  run: Pick<ActiveRun, 'signal'>
  step: PlannedStep
  /** What it fetches counts as asked for by a person. */
  isCounted?: boolean
}

/** What a condition or text reads is known before it is used: whoever may not, learns nothing of it (D59, D69). */
export async function takeIn(
  ctx: Context,
  { plan, record, resolved }: Pick<RunToGo, 'plan' | 'record'> & Pick<RenderedStep, 'resolved'>,
): Promise<void> {
  requireNoneWithheld(resolved)
  if (!usesPrivateValues(resolved)) return
  plan.privacy.tookIn = true
  if (plan.privacy.mayUse) return
  await retry(ctx, record.raise)
  plan.privacy.mayUse = true
}

/** Whether a step’s condition holds. What it reads is taken in before it is compared: how that ends tells of it. */
export async function holds(
  ctx: Context,
  { onlyIf, ...toGo }: StepOfRunning & { onlyIf: Condition },
): Promise<boolean> {
  const { run, plan } = toGo
  const found = await readNames(ctx, { ...toGo, names: namesInCondition(onlyIf) })
  return compare(ctx, { run, plan, onlyIf, found })
}

type FoundNames = ReadonlyMap<string, ReturnType<typeof readReference>>

interface Compared extends Pick<StepToGo, 'run' | 'plan'> {
  onlyIf: Condition
  found: FoundNames
}

export function compare(ctx: Context, { run, plan, onlyIf, found }: Compared): Promise<boolean> {
  const finds = openPatterns(ctx, { owner: plan.user.id, signal: run.signal })
  return evaluateCondition(onlyIf, {
    read(ref) {
      const { text = '', problem } = found.get(ref) ?? {}
      if (problem !== undefined) throw new ConditionUnreadableError(problem)
      return text
    },
    async matches(pattern, text) {
      try {
        return await finds(pattern, text)
      } catch (error) {
        throw error instanceof WorkRefused ? new ConditionUnreadableError(error.message) : error
      }
    },
  })
}

/** The text that a step’s items are in, taken in like what a condition reads: how many there are tells of it. */
export async function readList(
  ctx: Context,
  { list, ...toGo }: StepOfRunning & { list: string },
): Promise<string> {
  const { text = '', problem } = (await readNames(ctx, { ...toGo, names: [list] })).get(list) ?? {}
  if (problem !== undefined) throw new MissingValueError(`The list can’t be read: ${problem}`)
  return text
}

async function readNames(
  ctx: Context,
  { run, plan, record, underWay, names }: StepOfRunning & { names: readonly string[] },
): Promise<FoundNames> {
  const { found, resolved } = await findNames(ctx, { run, plan, step: underWay.step, names })
  underWay.read = { ...underWay.read, ...resolved }
  await takeIn(ctx, { plan, record, resolved })
  return found
}

/** What each name without braces says, and where that came from. */
export async function findNames(
  ctx: Context,
  { names, ...toGo }: StepToGo & { names: readonly string[] },
): Promise<{ found: FoundNames } & Pick<RenderedStep, 'resolved'>> {
  const { outputs, jsonOutputs } = toGo.plan
  const references = names.map((ref) => ({ ref, source: referenceOf(ref, (name) => outputs.has(name)) }))
  const template = references.map(({ source }) => source).join(' ')
  const variables = await findValues(ctx, { ...toGo, template })
  const found = new Map(
    references.map(({ ref, source }) => [
      ref,
      readReference({ ref, source, variables, outputs, jsonOutputs }),
    ]),
  )
  const resolved: RenderedStep['resolved'] = {}
  for (const each of found.values()) Object.assign(resolved, each.resolved)
  return { found, resolved }
}

/** The values of the variables that a text names, as far as this run may fill them in. */
export async function findValues(
  ctx: Context,
  { step, plan, run, isCounted, template }: StepToGo & { template: string },
): Promise<ReadonlyMap<string, KnownValue>> {
  const { user, values } = plan
  const used = extractVariables(template)
  const names = used.filter((name) => !values.has(name))
  const consent = consentExcept(step.withheld ?? [])
  const resolve = () => resolveVariables(ctx, { names, user, consent, isCounted, signal: run.signal })
  const stored = names.length === 0 ? [] : await retry(ctx, resolve)
  const typed = typedValues({ used, values })
  const attach = () => attachTyped(ctx, { typed, ownerId: user.id })
  const given = typed.size === 0 ? typed : await retry(ctx, attach)
  return new Map<string, KnownValue>([...stored, ...given])
}

export function retry<T>(ctx: Context, operation: () => Promise<T>): Promise<T> {
  return retryWhileUnavailable(operation, { closing: runsEnding(ctx) })
}
