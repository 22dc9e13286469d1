import {
  type EstimateEvaluationRequest,
  EVALUATIONS_MAX,
  EVALUATIONS_UNDER_WAY_MAX,
  type Evaluation,
  type EvaluationForecast,
  type startEvaluationRequest,
  type User,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import { type Allowed, findWithheld } from '../../../consent.ts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { refusePrivateNames } from '../../runs/runs.ts'
import { insertCells } from '../evaluation-cells.repository.ts'
import { canResumeEvaluation } from '../evaluations.policy.ts'
import {
  countOwnEvaluations,
  insertEvaluation,
  lockStarter,
  markResumed,
  toRecordColumns,
} from '../evaluations.repository.ts'
import type { EvaluationsDeps } from '../evaluations-deps.ts'
import { hashOf } from '../frozen-cases.ts'
import { lockEvaluation, type Wanted } from './open-evaluation.ts'
import { planEvaluation } from './plan-evaluation.ts'
import { findEvaluation } from './read-evaluations.ts'

/** What it would cost, and whether that comes from past runs or from the texts. */
export async function estimateEvaluation(
  deps: EvaluationsDeps,
  wanted: { user: User; request: EstimateEvaluationRequest },
): Promise<EvaluationForecast> {
  const { estimate, asked } = await planEvaluation(deps, wanted)
  return { ...estimate, asksToFill: [...new Set(asked.flat().map(({ name }) => name))] }
}

export interface NewEvaluation {
  user: User
  request: Omit<z.output<typeof startEvaluationRequest>, 'fills'>
  /** What may be filled in of their private values where others brought the names in. */
  allowed: Allowed
}

/**
 * Freezes cases and targets, and begins. Throws `too_many` without money, or with too many under way (D56), and
 * `conflict` where a private value would enter a text that the request does not allow it for (D69).
 */
export async function startEvaluation(
  deps: EvaluationsDeps,
  { user, request, allowed }: NewEvaluation,
): Promise<Evaluation> {
  await requireMoney(deps, user)
  const plan = await planEvaluation(deps, { user, request })
  const { suite, targets, judgeModel, estimate, cells } = plan
  const texts = plan.asked.flat().map(({ name, record }) => ({ ...record, names: [name] }))
  refusePrivateNames(await findWithheld(texts, allowed))
  if (request.baseline >= targets.length) {
    throw fieldError('baseline', 'The baseline is one of the targets')
  }
  const id = await deps.db.transaction(async (tx) => {
    await refuseTooMany(tx, user)
    const evaluationId = await insertEvaluation(tx, {
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
    await insertCells(tx, rows)
    await deps.queue.driveLater(tx, { id: evaluationId, attempt: 0 })
    return evaluationId
  })
  return findEvaluation(deps, { id, user })
}

/** Continues with the cells that are left, with another cost limit where one is given. Throws like `startEvaluation`. */
export async function resumeEvaluation(
  deps: EvaluationsDeps,
  { ceilingUsd, ...wanted }: Wanted & { ceilingUsd: number | undefined },
): Promise<Evaluation> {
  const { id, user } = wanted
  await requireMoney(deps, user)
  await deps.db.transaction(async (tx) => {
    await requireResumable(deps, tx, wanted)
    await refuseTooMany(tx, user)
    const attempt = await markResumed(tx, { id, ceilingNanos: usdToNanos(ceilingUsd ?? null) ?? undefined })
    await deps.queue.driveLater(tx, { id, attempt })
  })
  return findEvaluation(deps, wanted)
}

async function requireResumable(deps: EvaluationsDeps, tx: Transaction, wanted: Wanted): Promise<void> {
  const { owned, rights } = await lockEvaluation(deps, tx, wanted)
  if (!canResumeEvaluation(wanted.user, owned.evaluation, rights)) {
    throw new AppError('forbidden', 'Only the person who started an evaluation may resume it')
  }
  const { status } = owned.evaluation
  if (status === 'completed') throw new AppError('conflict', 'This evaluation is complete')
  if (status === 'running') throw new AppError('conflict', 'This evaluation is running')
}

async function requireMoney({ budgets }: EvaluationsDeps, user: User): Promise<void> {
  const message = await budgets.findRefusal(user.id)
  if (message !== undefined) throw new AppError('too_many', message, { details: 'budget_spent' })
}

async function refuseTooMany(tx: Transaction, user: User): Promise<void> {
  await lockStarter(tx, user.id)
  const { kept, underWay } = await countOwnEvaluations(tx, user.id)
  if (underWay >= EVALUATIONS_UNDER_WAY_MAX) {
    const message = `${underWay} of your evaluations are running. Stop one, or wait until it ends.`
    throw new AppError('too_many', message, { details: 'evaluations_under_way' })
  }
  if (kept >= EVALUATIONS_MAX) {
    throw new AppError('conflict', `You have ${EVALUATIONS_MAX} evaluations. Delete one to start another.`)
  }
}
