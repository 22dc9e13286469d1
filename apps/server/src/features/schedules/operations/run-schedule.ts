import type { StartedRun, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import {
  deleteOccurrence,
  insertPending,
  markStarted,
  type OccurrenceRow,
} from '../occurrences.repository.ts'
import { canRunNow } from '../schedules.policy.ts'
import { areSchedulesPaused, type ScheduleRow } from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'
import { openSchedule } from './open-schedule.ts'
import { startRun } from './start-occurrence.ts'

/** A start by hand that has not come through by then died with its process. */
const RETRY_MS = 60_000

/** Starts a run of it now, beside its plan. Throws `conflict` while one is under way. */
export async function runSchedule(
  deps: SchedulesDeps,
  { id, user }: { id: number; user: User },
): Promise<StartedRun> {
  const reserved = await deps.db.transaction(async (tx) => {
    const { schedule } = await openSchedule(deps, tx, { id, user })
    if (!canRunNow(user, schedule)) {
      throw new AppError('forbidden', 'Only the person who made a schedule may run it')
    }
    if (await areSchedulesPaused(tx)) {
      throw new AppError('conflict', 'An administrator has paused all schedules')
    }
    const dueAt = deps.now()
    const occurrence = await insertPending(tx, { scheduledRunId: id, dueAt, isManual: true })
    if (occurrence === undefined) {
      throw new AppError('conflict', 'A run of this schedule is still going on')
    }
    const runAt = new Date(dueAt.getTime() + RETRY_MS)
    await deps.queues.sendManual(tx, { occurrenceId: occurrence.id, runAt })
    return { occurrence, schedule, user }
  })
  return startReserved(deps, reserved)
}

async function startReserved(
  deps: SchedulesDeps,
  { occurrence, schedule, user }: { occurrence: OccurrenceRow; schedule: ScheduleRow; user: User },
): Promise<StartedRun> {
  const { db, now, queues } = deps
  try {
    const { id, executedAt } = await startRun(deps, { schedule, occurrence, user })
    await markStarted(db, { id: occurrence.id, startedAt: now() })
    await db.transaction((tx) => queues.cancelManual(tx, occurrence.id))
    return { id, chainId: schedule.chainId, status: 'running', executedAt: executedAt.toISOString() }
  } catch (error) {
    if (error instanceof AppError) {
      await db.transaction(async (tx) => {
        await queues.cancelManual(tx, occurrence.id)
        await deleteOccurrence(tx, occurrence.id)
      })
    }
    throw error
  }
}
