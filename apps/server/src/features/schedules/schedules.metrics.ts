import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readSchedulerState } from './operations/scheduler-state.ts'
import type { SchedulesDeps } from './schedules-deps.ts'

/** Over all processes, whichever is asked. */
export function scheduleMetrics(deps: SchedulesDeps, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      schedules_active: 'Schedules that fire.',
      schedules_next_due_seconds:
        'Until the next schedule is due; below zero: nobody started it. NaN: none is due.',
      mails_waiting: 'Mails that are still to be sent.',
      mails_failed_last_day: 'Mails of the last 24 hours that were given up.',
    },
    read: async () => {
      const { active, nextDueAt, mailsWaiting, mailsFailed } = await readSchedulerState(deps)
      return {
        schedules_active: active,
        schedules_next_due_seconds:
          nextDueAt === null ? Number.NaN : (Date.parse(nextDueAt) - deps.now().getTime()) / 1000,
        mails_waiting: mailsWaiting,
        mails_failed_last_day: mailsFailed,
      }
    },
  })
}
