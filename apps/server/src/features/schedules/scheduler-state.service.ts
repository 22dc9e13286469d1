import type { SchedulerState, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { MailsService } from '../mails/mails.service.ts'
import { deleteOldOccurrences, findLastLateness } from './occurrences.repository.ts'
import { areSchedulesPaused, pauseSchedules, summariseSchedules } from './schedules.repository.ts'

const DAY_MS = 86_400_000
const OCCURRENCES_KEPT_DAYS = 90
/** Of each schedule, however old. */
const OCCURRENCES_KEPT = 100

export type SchedulerStateService = ReturnType<typeof createSchedulerState>

interface SchedulerStateDeps {
  db: Database
  now: () => Date
  mails: Pick<MailsService, 'count' | 'isSetUp'>
}

/** All schedules together, for those who look after the instance. */
export function createSchedulerState({ db, now, mails }: SchedulerStateDeps) {
  return {
    async read(): Promise<SchedulerState> {
      const { nextDueAt, ...counts } = await summariseSchedules(db, { now: now() })
      const { waiting, failed } = await mails.count()
      return {
        ...counts,
        paused: await areSchedulesPaused(db),
        nextDueAt: nextDueAt?.toISOString() ?? null,
        lastLatenessMs: (await findLastLateness(db)) ?? null,
        mailIsSetUp: mails.isSetUp,
        mailsWaiting: waiting,
        mailsFailed: failed,
      }
    },

    /** The one switch for all schedules. */
    pauseAll: ({ paused, user }: { paused: boolean; user: User }): Promise<void> =>
      db.transaction((tx) => pauseSchedules(tx, { paused, actorId: user.id })),

    /** Deletes what no strip shows and is past its time; gives how many. */
    deleteOldOccurrences: (): Promise<number> =>
      deleteOldOccurrences(db, {
        before: new Date(now().getTime() - OCCURRENCES_KEPT_DAYS * DAY_MS),
        kept: OCCURRENCES_KEPT,
      }),
  }
}
