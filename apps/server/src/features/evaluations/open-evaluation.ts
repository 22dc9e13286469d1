import type { User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { findRecordRights, type RecordRights } from '../records/records.ts'
import { canSeeEvaluation } from './evaluations.policy.ts'
import {
  findOptionalEvaluation,
  isEvaluationKept,
  lockOptionalEvaluation,
  type OwnedEvaluation,
  type SeenEvaluation,
} from './evaluations.sql.ts'

export interface Wanted {
  id: number
  user: User
}

interface Opened {
  owned: SeenEvaluation
  rights: RecordRights
}

export async function openEvaluation(ctx: Context, { id, user }: Wanted): Promise<Opened> {
  return requireVisible(ctx, { owned: await findOptionalEvaluation(ctx.db, id), user })
}

export async function lockEvaluation(ctx: Context<Transaction>, { id, user }: Wanted): Promise<Opened> {
  return requireVisible(ctx, { owned: await lockOptionalEvaluation(ctx.db, id), user })
}

async function requireVisible(
  ctx: Context,
  { owned, user }: { owned: OwnedEvaluation | undefined; user: User },
): Promise<Opened> {
  const notFound = new AppError('not_found', 'Evaluation not found')
  if (owned === undefined) throw notFound
  const rights = await findRecordRights(ctx, { ...owned.record, user })
  const isKept = await isEvaluationKept(ctx.db, { id: owned.evaluation.id, viewer: user })
  if (!canSeeEvaluation(user, { ...owned.evaluation, isKept }, rights)) throw notFound
  return { owned: { ...owned, isKept }, rights }
}
