import type { SeenRunState, User } from '@catenary/contracts'
import { AppError } from '../../../../errors.ts'
import type { RunHistoryDeps, WantedRun } from '../run-history-deps.ts'
import { canDeleteRun, canResumeRun } from '../runs.policy.ts'
import { deletePromptRunRows, deleteRunRow } from '../runs.repository.ts'
import { findVisibleState, toState } from './read-run.ts'

/** The chain of a run. */
export interface ChainToResume {
  chainId: number
  /** Whether a version of it was asked for, by a label or an evaluation, and not the chain as it was. */
  isOfVersion: boolean
  /** The attempt that was read: a run resumed since then differs. */
  attempt: number
}

/** The chain of a run that this person may have go on; throws `forbidden`, or `conflict` when it has not failed. */
export async function findChainToResume(deps: RunHistoryDeps, wanted: WantedRun): Promise<ChainToResume> {
  const { state, view } = await findVisibleState(deps, wanted)
  const { run } = state
  if (run.kind !== 'chain' || run.chainId === null)
    throw new AppError('conflict', 'Only the run of a chain can be resumed')
  if (!canResumeRun(view.access))
    throw new AppError('forbidden', 'Only the person who started a run may resume it')
  if (run.status === 'running') throw new AppError('conflict', 'This run is still going on')
  if (run.status === 'completed') throw new AppError('conflict', 'This run is complete')
  if (run.textsDeleted)
    throw new AppError('conflict', 'The texts of this run are no longer kept. Execute the chain again.')
  const { chainId, attempt, chainLabel, trigger } = run
  return { chainId, attempt, isOfVersion: chainLabel !== null || trigger === 'evaluation' }
}

/** Stops a run wherever it goes on; one that has ended stays as it is. */
export async function cancelRun(deps: RunHistoryDeps, wanted: WantedRun): Promise<SeenRunState> {
  const { state, view } = await findVisibleState(deps, wanted)
  if (!view.canStop)
    throw new AppError('forbidden', 'Only the person who started a run and editors of its chain may stop it')
  if (view.access === 'presence') {
    // Not awaited: how long it takes would tell whether it still goes on (D68).
    void deps.engine.cancel(wanted.id).catch((error: unknown) => {
      deps.log.warn({ err: error, executionId: wanted.id }, 'a run could not be stopped')
    })
    return toState(deps, { state, view })
  }
  await deps.engine.cancel(wanted.id)
  return toState(deps, await findVisibleState(deps, wanted))
}

/** Deletes one run; a run under way is stopped first. */
export async function deleteRun(deps: RunHistoryDeps, wanted: WantedRun): Promise<void> {
  const { view } = await findVisibleState(deps, wanted)
  if (!canDeleteRun(view.access))
    throw new AppError('forbidden', 'Only the person who started a run may delete it')
  await deleteRunRow(deps.db, wanted.id)
}

/** Clears the person's own history of a prompt. */
export async function deletePromptRuns(
  { db, prompts }: RunHistoryDeps,
  { promptId, user }: { promptId: number; user: User },
): Promise<void> {
  await prompts.find({ id: promptId, user })
  await deletePromptRunRows(db, { promptId, userId: user.id })
}
