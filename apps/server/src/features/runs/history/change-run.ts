import type { SeenRunState, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { readPrompt } from '../../prompts/prompts.ts'
import { stopRun } from '../engine/stop-runs.ts'
import { findVisibleState, toState, type WantedRun } from './read-run.ts'
import { canDeleteRun, canResumeRun } from './runs.policy.ts'
import { deletePromptRunRows, deleteRunRow } from './runs.sql.ts'

export interface ChainToResume {
  chainId: number
  /** Whether a version of it was asked for, by a label or an evaluation, and not the chain as it was. */
  isOfVersion: boolean
  /** The attempt that was read: a run resumed since then differs. */
  attempt: number
}

/**
 * The chain of a run that this person may have go on; throws `forbidden`, or `conflict` when it has not failed. Items of
 * one that completed may be run again.
 */
export async function findChainToResume(
  ctx: Context,
  { isToRetry = false, ...wanted }: WantedRun & { isToRetry?: boolean },
): Promise<ChainToResume> {
  const { state, view } = await findVisibleState(ctx, wanted)
  const { run } = state
  if (run.kind !== 'chain' || run.chainId === null)
    throw new AppError('conflict', 'Only the run of a chain can be resumed')
  if (!canResumeRun(view.access))
    throw new AppError('forbidden', 'Only the person who started a run may resume it')
  if (run.status === 'running') throw new AppError('conflict', 'This run is still running')
  if (run.status === 'completed' && !isToRetry) throw new AppError('conflict', 'This run is complete')
  if (run.status === 'completed' && run.trigger === 'evaluation')
    throw new AppError('conflict', 'The evaluation has graded this run, so it stays as it is')
  if (run.textsDeleted)
    throw new AppError('conflict', 'The texts of this run are no longer kept. Execute the chain again.')
  const { chainId, attempt, chainLabel, trigger } = run
  return { chainId, attempt, isOfVersion: chainLabel !== null || trigger === 'evaluation' }
}

export async function cancelRun(ctx: Context, wanted: WantedRun): Promise<SeenRunState> {
  const { state, view } = await findVisibleState(ctx, wanted)
  if (!view.canStop)
    throw new AppError('forbidden', 'Only the person who started a run and editors of its chain may stop it')
  const { id, userId: ownerId, status } = state.run
  if (status === 'running' || view.access === 'presence') {
    await transaction(ctx, (ctx) => recordActivity(ctx, { kind: 'run.stopped', object: 'run', id, ownerId }))
  }
  if (view.access === 'presence') {
    // Not awaited: how long it takes would tell whether it still goes on (D68).
    void stopRun(ctx.app, wanted.id).catch((error: unknown) => {
      ctx.log.warn({ err: error, executionId: wanted.id }, 'a run could not be stopped')
    })
    return toState(ctx, { state, view })
  }
  await stopRun(ctx, wanted.id)
  return toState(ctx, await findVisibleState(ctx, wanted))
}

/** Deletes one run; a run under way is stopped first. */
export async function deleteRun(ctx: Context, wanted: WantedRun): Promise<void> {
  const { id } = wanted
  const { view } = await findVisibleState(ctx, wanted)
  if (!canDeleteRun(view.access))
    throw new AppError('forbidden', 'Only the person who started a run may delete it')
  await transaction(ctx, async (ctx) => {
    await deleteRunRow(ctx.db, id)
    await recordActivity(ctx, { kind: 'run.deleted', object: 'run', id })
  })
}

export async function deletePromptRuns(
  ctx: Context,
  { promptId, user }: { promptId: number; user: User },
): Promise<void> {
  await readPrompt(ctx, { id: promptId, user })
  // Before the first slice: one that is the last leaves no run without it.
  await transaction(ctx, (ctx) =>
    recordActivity(ctx, { kind: 'prompt.runs_deleted', object: 'prompt', id: promptId }),
  )
  await deletePromptRunRows(ctx.app.db, { promptId, userId: user.id })
}
