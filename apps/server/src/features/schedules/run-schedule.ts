import type { StartedRun, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { deleteOccurrence, insertPending, markStarted, type OccurrenceRow } from './occurrences.sql.ts'
import { openSchedule } from './open-schedule.ts'
import { cancelManual, sendManual } from './schedule-queues.ts'
import { canRunNow } from './schedules.policy.ts'
import { areSchedulesPaused, type ScheduleRow } from './schedules.sql.ts'
import { startRun } from './start-occurrence.ts'

/** If a start by hand has not come through by then, its process has died. */
const RETRY_MS = 60_000

export async function runSchedule(
  ctx: Context,
  { id, user }: { id: number; user: User },
): Promise<StartedRun> {
  const reserved = await transaction(ctx, async (ctx) => {
    const { schedule } = await openSchedule(ctx, { id, user })
    if (!canRunNow(user, schedule)) {
      throw new AppError('forbidden', 'Only the person who made a schedule may run it')
    }
    if (await areSchedulesPaused(ctx.db)) {
      throw new AppError('conflict', 'An administrator has paused all schedules')
    }
    const dueAt = ctx.now()
    const occurrence = await insertPending(ctx.db, { scheduledRunId: id, dueAt, isManual: true })
    if (occurrence === undefined) {
      throw new AppError('conflict', 'A run of this schedule is still going on')
    }
    const runAt = new Date(dueAt.getTime() + RETRY_MS)
    await sendManual(ctx, { occurrenceId: occurrence.id, runAt })
    return { occurrence, schedule, user }
  })
  return startReserved(ctx, reserved)
}

async function startReserved(
  ctx: Context,
  { occurrence, schedule, user }: { occurrence: OccurrenceRow; schedule: ScheduleRow; user: User },
): Promise<StartedRun> {
  try {
    const { id, executedAt } = await startRun(ctx, { schedule, occurrence, user })
    await markStarted(ctx.db, { id: occurrence.id, startedAt: ctx.now() })
    await transaction(ctx, (ctx) => cancelManual(ctx, occurrence.id))
    return { id, chainId: schedule.chainId, status: 'running', executedAt: executedAt.toISOString() }
  } catch (error) {
    if (error instanceof AppError) {
      await transaction(ctx, async (ctx) => {
        await cancelManual(ctx, occurrence.id)
        await deleteOccurrence(ctx.db, occurrence.id)
      })
    }
    throw error
  }
}
