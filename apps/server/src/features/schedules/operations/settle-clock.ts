import { nextTimes } from '@catenary/domain/recurrence'
import { latestBelieved } from '../../../clock-ahead.ts'
import { moveBackAhead } from '../occurrences.repository.ts'
import { toRule } from '../schedule-rule.ts'
import { listPlannedAhead, lockOptionalSchedule, updateScheduleState } from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'

/**
 * While a clock was ahead, recurring schedules ran at times that are still to come, and were planned from there on. They
 * are planned from now again; what ran keeps its run, at the time when it was found, so that the times themselves are free.
 */
export async function settleClock(deps: SchedulesDeps): Promise<void> {
  for (const id of await listPlannedAhead(deps.db, latestBelieved(deps.now()))) await planFromNow(deps, id)
}

function planFromNow({ db, now, queues }: SchedulesDeps, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    const owned = await lockOptionalSchedule(tx, id)
    if (owned === undefined) return
    await moveBackAhead(tx, { scheduledRunId: id, after: latestBelieved(now()), to: now() })
    const { nextDueAt, active } = owned.schedule
    const [next = null] = nextTimes(toRule(owned.schedule), now(), 1)
    if (!active || next === null || (nextDueAt !== null && nextDueAt <= next)) return
    if (nextDueAt !== null) await queues.cancelDue(tx, { scheduleId: id, dueAt: nextDueAt })
    await queues.sendDue(tx, { scheduleId: id, dueAt: next })
    await updateScheduleState(tx, { id, nextDueAt: next })
  })
}
