import type { Evaluation } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { canDeleteEvaluation, canStopEvaluation } from '../evaluations.policy.ts'
import { deleteEvaluationRow, markStopped } from '../evaluations.repository.ts'
import type { EvaluationsDeps } from '../evaluations-deps.ts'
import { lockEvaluation, type Wanted } from './open-evaluation.ts'
import { findEvaluation } from './read-evaluations.ts'

/** No further cell begins; those under way end. */
export async function stopEvaluation(deps: EvaluationsDeps, wanted: Wanted): Promise<Evaluation> {
  const { id, user } = wanted
  await deps.db.transaction(async (tx) => {
    const { owned, rights } = await lockEvaluation(deps, tx, wanted)
    if (!canStopEvaluation(user, owned.evaluation, rights)) {
      throw new AppError('forbidden', 'You may not stop this evaluation')
    }
    await markStopped(tx, { id, reason: `Stopped by ${user.username}` })
  })
  return findEvaluation(deps, wanted)
}

/** With its runs. Throws `conflict` while it is running. */
export function deleteEvaluation(deps: EvaluationsDeps, wanted: Wanted): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { owned } = await lockEvaluation(deps, tx, wanted)
    if (!canDeleteEvaluation(wanted.user, owned.evaluation)) {
      throw new AppError('forbidden', 'Only the person who started an evaluation may delete it')
    }
    if (owned.evaluation.status === 'running') {
      throw new AppError('conflict', 'This evaluation is running. Stop it first.')
    }
    await deleteEvaluationRow(tx, wanted.id)
  })
}
