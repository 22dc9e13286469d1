import type { StartedRun, User } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { requireVisibleChain } from '../../chains/chains.ts'
import { requireAllowedModels, requireKnownModel } from '../../models/models.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import { asksModel, firstLeft, type OpenedStep, type PlannedStep } from '../engine/planned-step.ts'
import { mayUsePrivateValues } from '../engine/private-values.ts'
import { toRunValues } from '../engine/run-input.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { type ChainToResume, findChainToResume } from '../history/change-run.ts'
import { findRunTexts } from '../history/runs.sql.ts'
import { outputOf } from './chain-plan.ts'
import { hasFailedItems, lockEndedChainRun, reopenChainRun } from './chain-runs.sql.ts'
import { openPlan } from './open-plan.ts'
import { planAllowed, refuseUnallowed } from './private-names.ts'
import { sendsOf } from './sends.ts'

interface ResumeRequest {
  id: number
  user: User
  model?: string | undefined
  fills?: readonly string[] | undefined
  sends?: readonly string[] | undefined
}

/**
 * Resumes at the first step that did not complete. The remaining steps come from the chain as it is now, if it still
 * begins with the completed ones; else, and for a chosen version, from the run's own plan. Another model may run the
 * first of them, once.
 */
export async function resumeChainRun(ctx: Context, request: ResumeRequest): Promise<StartedRun> {
  requireModel(ctx, request)
  const { id, user } = request
  const found = await findChainToResume(ctx, { id, user })
  const current = await openCurrent(ctx, { ...found, user })
  return reopen(ctx, { ...request, found, current, ended: ['failed', 'cancelled'] })
}

/**
 * Runs the failed items of a step again, with the run's own plan. Steps behind it that have not completed follow with
 * the new output; the others stay as they are.
 */
export async function retryItems(
  ctx: Context,
  { position, ...request }: ResumeRequest & { position: number },
): Promise<StartedRun> {
  requireModel(ctx, request)
  const { id, user } = request
  const found = await findChainToResume(ctx, { id, user, isToRetry: true })
  await requireVisibleChain(ctx, { id: found.chainId, user })
  const ended = ['completed' as const, 'failed' as const, 'cancelled' as const]
  return reopen(ctx, { ...request, found, current: undefined, ended, again: position })
}

function requireModel(ctx: Context, { model, user }: ResumeRequest): void {
  if (model === undefined) return
  requireKnownModel(ctx, { alias: model, path: 'model' })
  requireAllowedModels(ctx, { user, aliases: [model] })
}

interface Reopening extends ResumeRequest {
  found: ChainToResume
  current: Awaited<ReturnType<typeof openCurrent>>
  ended: ('completed' | 'failed' | 'cancelled')[]
  again?: number
}

async function reopen(
  ctx: Context,
  { id, user, model, fills = [], sends = [], found, current, ended, again }: Reopening,
): Promise<StartedRun> {
  const { attempt, chainId } = found
  const texts = await findRunTexts(ctx.db, id)
  const values = texts ? toRunValues(texts) : new Map<string, string>()
  // Of either plan, before the transaction, which holds the embedded database's only session.
  const either = [...(current?.steps ?? []), ...((texts?.plan ?? []) as PlannedStep[])]
  const privateValues = await mayUsePrivateValues(ctx, { plan: either, values, user })
  const asked = [...new Set(either.flatMap((step) => namesOfOthers(step)))]
  const owned = new Set(await listPrivateNames(ctx, { names: asked, user }))
  const mayGo = await sendsOf(ctx, { plan: either, user, chainId, sends })
  const executedAt = await transaction(ctx, async (ctx) => {
    const run = await lockEndedChainRun(ctx.db, { id, attempt, ended })
    if (run === undefined) throw new AppError('conflict', 'This run is still running')
    if (again !== undefined) await requireFailedItems(ctx.db, { id, plan: run.plan, position: again })
    const completed = run.completed.filter(({ position }) => position !== again)
    const first = firstLeft(completed)
    // What has ended behind the first that is left stays, and so does that one.
    const begun = run.plan.slice(0, (completed.at(-1)?.position ?? -1) + 1)
    const chain = current && beginsWith({ plan: current.steps, begun }) ? current : undefined
    const shown = [...fills, ...run.plan.flatMap(({ allowed = [] }) => allowed)]
    const left = chain
      ? [...begun, ...(await planShown({ steps: chain.steps.slice(begun.length), shown, owned, run }))]
      : allowShown({ chainId, begun: begun.slice(0, first), shown, owned, run })
    const next = left[first]
    if (model !== undefined && next !== undefined && !asksModel(next))
      throw fieldError('model', 'The step that the run resumes at asks no model')
    const plan = mayGo(left).map((step, index) =>
      index === first && model !== undefined ? { ...step, model } : step,
    )
    await reopenChainRun(ctx.db, {
      id,
      attempt,
      chainName: chain?.name ?? run.chainName,
      chainVersion: chain?.version ?? run.chainVersion,
      plan,
      privateValues,
      output: plan.length > completed.length ? null : outputOf({ plan, completed }),
      again,
      otherLists: otherListsIn({ before: run.plan, plan }),
      otherCalls: otherCallsIn({ before: run.plan, plan }),
    })
    return run.executedAt
  })
  await notifyWaiting(ctx)
  return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
}

async function requireFailedItems(
  tx: Transaction,
  { id, plan, position }: { id: number; plan: PlannedStep[]; position: number },
): Promise<void> {
  if (plan[position] === undefined) throw new AppError('not_found', 'This run has no such step')
  if (await hasFailedItems(tx, { id, position })) return
  throw new AppError('conflict', 'No item of this step has failed')
}

/** Where a corrected step has another list, what was begun of the one before is no use. */
function otherListsIn({ before, plan }: { before: PlannedStep[]; plan: PlannedStep[] }): number[] {
  return before.flatMap((step, position) => {
    const now = plan[position]
    const isSame = now?.id === step.id && now.forEach?.list === step.forEach?.list
    return step.forEach === undefined || isSame ? [] : [position]
  })
}

function otherCallsIn({ before, plan }: { before: PlannedStep[]; plan: PlannedStep[] }): number[] {
  return before.flatMap((step, position) => {
    const now = plan[position]
    return now?.id === step.id && now.forEach?.list === step.forEach?.list ? [] : [position]
  })
}

function namesOfOthers({
  withheld = [],
  allowed = [],
  others = [],
}: PlannedStep & Partial<Pick<OpenedStep, 'others'>>): string[] {
  return [...others.flatMap(({ names }) => names), ...withheld, ...allowed]
}

interface Shown {
  shown: readonly string[]
  owned: ReadonlySet<string>
  run: { plan: PlannedStep[]; variableValues: Record<string, string> }
}

async function planShown({
  steps,
  shown,
  owned,
  run,
}: Shown & { steps: readonly OpenedStep[] }): Promise<PlannedStep[]> {
  const { plan, withheld } = await planAllowed(steps, { shown })
  refuseUnallowed({ withheld, owned, typed: Object.keys(run.variableValues) })
  return plan
}

function allowShown({
  chainId,
  begun,
  shown,
  owned,
  run,
}: Shown & { chainId: number; begun: PlannedStep[] }): PlannedStep[] {
  const names = new Set(shown.map((name) => name.toLowerCase()))
  const left = run.plan.slice(begun.length).map(({ withheld = [], allowed = [], ...step }) => ({
    ...step,
    withheld: withheld.filter((name) => !names.has(name)),
    allowed: [...allowed, ...withheld.filter((name) => names.has(name))],
  }))
  const withheld = left.flatMap((step) =>
    step.withheld.map((name) => ({ name, record: { kind: 'chain' as const, id: chainId } })),
  )
  refuseUnallowed({ withheld, owned, typed: Object.keys(run.variableValues) })
  return [...begun, ...left]
}

/** A run that resumes takes corrected steps from the chain as it is now; a chosen version runs to its end. */
async function openCurrent(ctx: Context, { chainId, isOfVersion, user }: ChainToResume & { user: User }) {
  if (!isOfVersion) return openPlan(ctx, { id: chainId, user })
  await requireVisibleChain(ctx, { id: chainId, user })
  return undefined
}

function beginsWith({ plan, begun }: { plan: PlannedStep[]; begun: PlannedStep[] }): boolean {
  return begun.every(({ id }, index) => plan[index]?.id === id)
}
