import type { User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { findRecordRights, type RecordRights } from '../../records/records.ts'
import { canSeeEvaluation } from '../evaluations.policy.ts'
import {
  findOptionalEvaluation,
  isEvaluationKept,
  lockOptionalEvaluation,
  type OwnedEvaluation,
  type SeenEvaluation,
} from '../evaluations.repository.ts'
import type { EvaluationsDeps } from '../evaluations-deps.ts'

/** An evaluation that a person asks for. */
export interface Wanted {
  id: number
  user: User
}

interface Opened {
  owned: SeenEvaluation
  rights: RecordRights
}

/** Throws `not_found` for an evaluation that the person can't see. */
export async function openEvaluation(
  deps: EvaluationsDeps,
  executor: Executor,
  { id, user }: Wanted,
): Promise<Opened> {
  return requireVisible(deps, executor, { owned: await findOptionalEvaluation(executor, id), user })
}

/** Like `openEvaluation`, and locks it for the transaction. */
export async function lockEvaluation(
  deps: EvaluationsDeps,
  tx: Transaction,
  { id, user }: Wanted,
): Promise<Opened> {
  return requireVisible(deps, tx, { owned: await lockOptionalEvaluation(tx, id), user })
}

async function requireVisible(
  { ports }: EvaluationsDeps,
  executor: Executor,
  { owned, user }: { owned: OwnedEvaluation | undefined; user: User },
): Promise<Opened> {
  const notFound = new AppError('not_found', 'Evaluation not found')
  if (owned === undefined) throw notFound
  const rights = await findRecordRights(ports, executor, { ...owned.record, user })
  const isKept = await isEvaluationKept(executor, { id: owned.evaluation.id, viewer: user })
  if (!canSeeEvaluation(user, { ...owned.evaluation, isKept }, rights)) throw notFound
  return { owned: { ...owned, isKept }, rights }
}
