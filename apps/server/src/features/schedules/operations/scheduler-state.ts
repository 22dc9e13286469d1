import type { SchedulerState, User } from '@catenary/contracts'
import { countUnsentMails } from '../../mails/mails.ts'
import { deleteOccurrencesBefore, findLastLateness } from '../occurrences.repository.ts'
import { areSchedulesPaused, setSchedulesPaused, summariseSchedules } from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'

/** How many schedules fire, and when the next one is due. */
export const readDueSchedules = ({ db, now }: SchedulesDeps) => summariseSchedules(db, { now: now() })

/** All schedules together, for administrators. */
export async function readSchedulerState(deps: SchedulesDeps): Promise<SchedulerState> {
  const { ctx, db } = deps
  const { nextDueAt, ...counts } = await readDueSchedules(deps)
  const { waiting, failed } = await countUnsentMails(ctx)
  return {
    ...counts,
    paused: await areSchedulesPaused(db),
    nextDueAt: nextDueAt?.toISOString() ?? null,
    lastLatenessMs: (await findLastLateness(db)) ?? null,
    mailIsSetUp: ctx.mail.isSetUp,
    mailsWaiting: waiting,
    mailsFailed: failed,
  }
}

/** Pauses all schedules, or lets them go on. */
export async function pauseSchedules(
  deps: SchedulesDeps,
  { paused, user }: { paused: boolean; user: User },
): Promise<SchedulerState> {
  await deps.db.transaction((tx) => setSchedulesPaused(tx, { paused, actorId: user.id }))
  return readSchedulerState(deps)
}

const DAY_MS = 86_400_000
const KEPT_DAYS = 90
/** Of each schedule, however old. */
const KEPT_OCCURRENCES = 100

/** Returns how many were deleted. */
export function deleteOldOccurrences({ db, now }: SchedulesDeps): Promise<number> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS)
  return deleteOccurrencesBefore(db, { before, kept: KEPT_OCCURRENCES })
}
