import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { SchedulerStateService } from './scheduler-state.service.ts'

interface ScheduleMetricsDeps {
  metrics: Metrics
  schedulerState: Pick<SchedulerStateService, 'read'>
  now: () => Date
}

/** Figures of all schedules, whichever process is asked. */
export function watchSchedules({ metrics, schedulerState, now }: ScheduleMetricsDeps): void {
  metrics.watch({
    figures: {
      schedules_active: 'Schedules that fire.',
      schedules_next_due_seconds:
        'Until the next schedule is due; below zero: nobody started it. NaN: none is due.',
      mails_waiting: 'Mails that are still to be sent.',
      mails_failed_last_day: 'Mails of the last 24 hours that were given up.',
    },
    read: async () => {
      const { active, nextDueAt, mailsWaiting, mailsFailed } = await schedulerState.read()
      return {
        schedules_active: active,
        schedules_next_due_seconds:
          nextDueAt === null ? Number.NaN : (Date.parse(nextDueAt) - now().getTime()) / 1000,
        mails_waiting: mailsWaiting,
        mails_failed_last_day: mailsFailed,
      }
    },
  })
}
