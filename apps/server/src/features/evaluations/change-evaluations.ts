import {
  type EstimateEvaluationRequest,
  EVALUATIONS_MAX,
  EVALUATIONS_RUNNING_MAX,
  type Evaluation,
  type EvaluationForecast,
  type startEvaluationRequest,
  type User,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type AppContext, type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { type Allowed, findWithheld } from '../records/records.ts'
import { refusePrivateNames } from '../runs/runs.ts'
import { findBudgetRefusal } from '../spending/spending.ts'
import { driveLater } from './drive-evaluation.ts'
import { insertCells } from './evaluation-cells.sql.ts'
import { canDeleteEvaluation, canResumeEvaluation, canStopEvaluation } from './evaluations.policy.ts'
import {
  countOwnEvaluations,
  deleteEvaluationRow,
  insertEvaluation,
  lockStarter,
  markResumed,
  markStopped,
  toRecordColumns,
} from './evaluations.sql.ts'
import { hashOf } from './frozen-cases.ts'
import { lockEvaluation, type Wanted } from './open-evaluation.ts'
import { planEvaluation } from './plan-evaluation.ts'
import { findEvaluation } from './read-evaluations.ts'

export async function estimateEvaluation(
  ctx: AppContext,
  wanted: { user: User; request: EstimateEvaluationRequest },
): Promise<EvaluationForecast> {
  const { estimate, asked } = await planEvaluation(ctx, wanted)
  return { ...estimate, asksToFill: [...new Set(asked.flat().map(({ name }) => name))] }
}

export interface NewEvaluation {
  user: User
  request: Omit<z.output<typeof startEvaluationRequest>, 'fills'>
  allowed: Allowed
}

/**
 * Freezes cases and targets, and begins. Throws `too_many` without money, or with too many running (D56), and
 * `conflict` where a private value would enter a text that the request does not allow it for (D69).
 */
export async function startEvaluation(
  ctx: AppContext,
  { user, request, allowed }: NewEvaluation,
): Promise<Evaluation> {
  await requireMoney(ctx, user)
  const plan = await planEvaluation(ctx, { user, request })
  const { suite, targets, judgeModel, estimate, cells } = plan
  const texts = plan.asked.flat().map(({ name, record }) => ({ ...record, names: [name] }))
  refusePrivateNames(await findWithheld(texts, allowed))
  if (request.baseline >= targets.length) {
    throw fieldError('baseline', 'The baseline must be one of the targets')
  }
  const id = await transaction(ctx, async (ctx) => {
    await refuseTooMany(ctx, user)
    const evaluationId = await insertEvaluation(ctx.db, {
      ...toRecordColumns(suite.record),
      suiteId: suite.id,
      suiteName: suite.name,
      startedBy: user.id,
      estimate,
      judgeModel,
      cases: suite.cases,
      casesHash: hashOf(suite.cases),
      targets: targets.map(({ version, model, frozenLinks }, position) => ({
        version,
        model,
        frozenLinks,
        mayUsePrivateValues: plan.mayUsePrivateValues[position],
        allowed: plan.asked[position]?.map(({ name }) => name),
      })),
      ceilingNanos: usdToNanos(request.ceilingUsd) ?? 0,
      baseline: request.baseline,
      reuse: request.reuse,
    })
    const rows = cells.map((cell) => ({ ...cell, evaluationId }))
    await insertCells(ctx.db, rows)
    await driveLater(ctx, { id: evaluationId, attempt: 0 })
    await recordActivity(ctx, { kind: 'evaluation.started', object: 'evaluation', id: evaluationId })
    return evaluationId
  })
  return findEvaluation(ctx, { id, user })
}

export async function resumeEvaluation(
  ctx: Context,
  { ceilingUsd, ...wanted }: Wanted & { ceilingUsd: number | undefined },
): Promise<Evaluation> {
  const { id, user } = wanted
  await requireMoney(ctx, user)
  await transaction(ctx, async (ctx) => {
    await requireResumable(ctx, wanted)
    await refuseTooMany(ctx, user)
    const attempt = await markResumed(ctx.db, {
      id,
      ceilingNanos: usdToNanos(ceilingUsd ?? null) ?? undefined,
    })
    await driveLater(ctx, { id, attempt })
    await recordActivity(ctx, { kind: 'evaluation.resumed', object: 'evaluation', id })
  })
  return findEvaluation(ctx, wanted)
}

/** No further cell begins; running ones end. */
export async function stopEvaluation(ctx: Context, wanted: Wanted): Promise<Evaluation> {
  const { id, user } = wanted
  await transaction(ctx, async (ctx) => {
    const { owned, rights } = await lockEvaluation(ctx, wanted)
    if (!canStopEvaluation(user, owned.evaluation, rights)) {
      throw new AppError('forbidden', 'You can’t stop this evaluation')
    }
    await markStopped(ctx.db, { id, reason: `Stopped by ${user.username}` })
    const { startedBy: ownerId } = owned.evaluation
    await recordActivity(ctx, { kind: 'evaluation.stopped', object: 'evaluation', id, ownerId })
  })
  return findEvaluation(ctx, wanted)
}

/** With its runs. Throws `conflict` while it is running. */
export function deleteEvaluation(ctx: Context, wanted: Wanted): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { owned } = await lockEvaluation(ctx, wanted)
    if (!canDeleteEvaluation(wanted.user, owned.evaluation)) {
      throw new AppError('forbidden', 'Only the person who started an evaluation may delete it')
    }
    if (owned.evaluation.status === 'running') {
      throw new AppError('conflict', 'This evaluation is running. Stop it first.')
    }
    await deleteEvaluationRow(ctx.db, wanted.id)
    await recordActivity(ctx, { kind: 'evaluation.deleted', object: 'evaluation', id: wanted.id })
  })
}

async function requireResumable(ctx: Context<Transaction>, wanted: Wanted): Promise<void> {
  const { owned, rights } = await lockEvaluation(ctx, wanted)
  if (!canResumeEvaluation(wanted.user, owned.evaluation, rights)) {
    throw new AppError('forbidden', 'Only the person who started an evaluation may resume it')
  }
  const { status } = owned.evaluation
  if (status === 'completed') throw new AppError('conflict', 'This evaluation is complete')
  if (status === 'running') throw new AppError('conflict', 'This evaluation is running')
}

async function requireMoney(ctx: Context, user: User): Promise<void> {
  const message = await findBudgetRefusal(ctx, user.id)
  if (message !== undefined) throw new AppError('too_many', message, { details: 'budget_spent' })
}

async function refuseTooMany({ db }: Context<Transaction>, user: User): Promise<void> {
  await lockStarter(db, user.id)
  const { kept, running } = await countOwnEvaluations(db, user.id)
  if (running >= EVALUATIONS_RUNNING_MAX) {
    const message = `${running} of your evaluations are running. Stop one, or wait until it ends.`
    throw new AppError('too_many', message, { details: 'evaluations_under_way' })
  }
  if (kept >= EVALUATIONS_MAX) {
    throw new AppError('conflict', `You have ${EVALUATIONS_MAX} evaluations. Delete one to start another.`)
  }
}
