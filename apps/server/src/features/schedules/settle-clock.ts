import { nextTimes } from '@catenary/domain/recurrence'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { moveBackAhead } from './occurrences.sql.ts'
import { cancelDue, sendDue } from './schedule-queues.ts'
import { toRule } from './schedule-rule.ts'
import { listPlannedAhead, lockOptionalSchedule, updateScheduleState } from './schedules.sql.ts'

/**
 * While a clock was ahead, recurring schedules ran at times still to come, and were planned from there. They are
 * planned from now again; what ran keeps its run under the time when this was found, so that the planned times are
 * free.
 */
export async function settleClock(ctx: Context): Promise<void> {
  for (const id of await listPlannedAhead(ctx.db, latestBelieved(ctx.now()))) await planFromNow(ctx, id)
}

function planFromNow(ctx: Context, id: number): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const owned = await lockOptionalSchedule(ctx.db, id)
    if (owned === undefined) return
    await moveBackAhead(ctx.db, { scheduledRunId: id, after: latestBelieved(ctx.now()), to: ctx.now() })
    const { nextDueAt, active } = owned.schedule
    const [next = null] = nextTimes(toRule(owned.schedule), ctx.now(), 1)
    if (!active || next === null || (nextDueAt !== null && nextDueAt <= next)) return
    if (nextDueAt !== null) await cancelDue(ctx, { scheduleId: id, dueAt: nextDueAt })
    await sendDue(ctx, { scheduleId: id, dueAt: next })
    await updateScheduleState(ctx.db, { id, nextDueAt: next })
  })
}
