import type { StartedRun, User } from '@catenary/contracts'
import { AppError, fieldError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { requireVisibleChain } from '../../chains/chains.ts'
import { requireAllowedModels, requireKnownModel } from '../../models/models.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import { asksModel, type OpenedStep, type PlannedStep } from '../engine/planned-step.ts'
import { mayUsePrivateValues } from '../engine/private-values.ts'
import { toRunValues } from '../engine/run-input.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { type ChainToResume, findChainToResume } from '../history/change-run.ts'
import { findRunTexts } from '../history/runs.sql.ts'
import { outputOf } from './chain-plan.ts'
import { lockEndedChainRun, reopenChainRun } from './chain-runs.sql.ts'
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
export async function resumeChainRun(
  ctx: Context,
  { id, user, model, fills = [], sends = [] }: ResumeRequest,
): Promise<StartedRun> {
  if (model !== undefined) {
    requireKnownModel(ctx, { alias: model, path: 'model' })
    requireAllowedModels(ctx, { user, aliases: [model] })
  }
  const found = await findChainToResume(ctx, { id, user })
  const current = await openCurrent(ctx, { ...found, user })
  const texts = await findRunTexts(ctx.db, id)
  const values = texts ? toRunValues(texts) : new Map<string, string>()
  // Of either plan, before the transaction, which holds the embedded database's only session.
  const either = [...(current?.steps ?? []), ...((texts?.plan ?? []) as PlannedStep[])]
  const privateValues = await mayUsePrivateValues(ctx, { plan: either, values, user })
  const asked = [...new Set(either.flatMap((step) => namesOfOthers(step)))]
  const owned = new Set(await listPrivateNames(ctx, { names: asked, user }))
  const mayGo = await sendsOf(ctx, { plan: either, user, chainId: found.chainId, sends })
  const executedAt = await transaction(ctx, async (ctx) => {
    const run = await lockEndedChainRun(ctx.db, { id, attempt: found.attempt })
    if (run === undefined) throw new AppError('conflict', 'This run is still running')
    const { completed } = run
    const begun = run.plan.slice(0, completed.length)
    const chain = current && beginsWith({ plan: current.steps, begun }) ? current : undefined
    const shown = [...fills, ...run.plan.flatMap(({ allowed = [] }) => allowed)]
    const left = chain
      ? [...begun, ...(await planShown({ steps: chain.steps.slice(completed.length), shown, owned, run }))]
      : allowShown({ chainId: found.chainId, begun, shown, owned, run })
    const next = left[completed.length]
    if (model !== undefined && next !== undefined && !asksModel(next))
      throw fieldError('model', 'The step that the run resumes at asks no model')
    const plan = mayGo(left).map((step, index) =>
      index === completed.length && model !== undefined ? { ...step, model } : step,
    )
    await reopenChainRun(ctx.db, {
      id,
      attempt: found.attempt,
      chainName: chain?.name ?? run.chainName,
      chainVersion: chain?.version ?? run.chainVersion,
      plan,
      privateValues,
      output: plan.length > completed.length ? null : outputOf({ plan, completed }),
    })
    return run.executedAt
  })
  await notifyWaiting(ctx)
  return { id, chainId: found.chainId, status: 'running', executedAt: executedAt.toISOString() }
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
