import type { Transaction } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Due, DuePlan } from './occurrence-ends.service.ts'
import type { SchedulerService } from './scheduler.service.ts'

/** In each process. */
const DUE_AT_ONCE = 16

/** What schedules have done later: one job for each next time, and one for each Run Now that may not get to its start. */
export function scheduleQueues({ jobs }: { jobs: Jobs }) {
  const due = jobs.queue<{ scheduleId: number; dueAt: string }>('schedules')
  const manual = jobs.queue<{ occurrenceId: number }>('schedules-by-hand')
  const keyOf = ({ scheduleId, dueAt }: Due) => `${scheduleId}:${dueAt.toISOString()}`

  const duePlan: DuePlan = {
    plan: (tx, { scheduleId, dueAt }) =>
      due.send(tx, {
        key: keyOf({ scheduleId, dueAt }),
        payload: { scheduleId, dueAt: dueAt.toISOString() },
        runAt: dueAt,
      }),
    cancel: (tx, next) => due.remove(tx, keyOf(next)),
  }

  return {
    duePlan,

    startLater: (tx: Transaction, { occurrenceId, at }: { occurrenceId: number; at: Date }) =>
      manual.send(tx, { key: String(occurrenceId), payload: { occurrenceId }, runAt: at }),
    cancelStart: (tx: Transaction, occurrenceId: number) => manual.remove(tx, String(occurrenceId)),

    work({ scheduler }: { scheduler: SchedulerService }): void {
      due.work({
        concurrency: DUE_AT_ONCE,
        handle: ({ payload }) =>
          scheduler.due({ scheduleId: payload.scheduleId, dueAt: new Date(payload.dueAt) }),
      })
      manual.work({ handle: ({ payload }) => scheduler.startPending(payload.occurrenceId) })
    },
  }
}
