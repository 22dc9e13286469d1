import type { SchedulerState } from '@catenary/contracts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { countUnsentMails } from '../mails/mails.ts'
import { deleteOccurrencesBefore, findLastLateness } from './occurrences.sql.ts'
import { areSchedulesPaused, setSchedulesPaused, summariseSchedules } from './schedules.sql.ts'

const readDueSchedules = ({ db, now }: Context) => summariseSchedules(db, { now: now() })

export async function readSchedulerState(ctx: Context): Promise<SchedulerState> {
  const { db, mail } = ctx
  const { nextDueAt, ...counts } = await readDueSchedules(ctx)
  const { waiting, failed } = await countUnsentMails(ctx)
  return {
    ...counts,
    paused: await areSchedulesPaused(db),
    nextDueAt: nextDueAt?.toISOString() ?? null,
    lastLatenessMs: (await findLastLateness(db)) ?? null,
    mailIsSetUp: mail.isSetUp,
    mailsWaiting: waiting,
    mailsFailed: failed,
  }
}

export function watchSchedules(ctx: Context): void {
  ctx.metrics?.watch({
    gauges: {
      schedules_active: 'Active schedules.',
      schedules_next_due_seconds:
        'Time until the next schedule is due; negative: it is overdue. NaN: none is due.',
    },
    read: async () => {
      const { active, nextDueAt } = await readDueSchedules(ctx)
      return {
        schedules_active: active,
        schedules_next_due_seconds:
          nextDueAt === null ? Number.NaN : (nextDueAt.getTime() - ctx.now().getTime()) / 1000,
      }
    },
  })
}

export async function pauseSchedules(ctx: Context, { paused }: { paused: boolean }): Promise<SchedulerState> {
  await transaction(ctx, async (ctx) => {
    const before = { paused: await areSchedulesPaused(ctx.db) }
    await setSchedulesPaused(ctx.db, paused)
    await recordActivity(ctx, { kind: 'schedules.paused', object: 'instance', before, after: { paused } })
  })
  return readSchedulerState(ctx)
}

const DAY_MS = 86_400_000
const KEPT_DAYS = 90
/** Of each schedule, however old. */
const KEPT_OCCURRENCES = 100

export function deleteOldOccurrences({ db, now }: Context): Promise<number> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS)
  return deleteOccurrencesBefore(db, { before, kept: KEPT_OCCURRENCES })
}
