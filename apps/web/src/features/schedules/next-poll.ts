import type { ScheduledRun } from '@catenary/contracts'

const RUNNING_MS = 2000
const MAIL_MS = 10_000
const OVERDUE_MS = 10_000
/** A start takes a moment. */
const AFTER_DUE_MS = 1000
const LONGEST_MS = 3_600_000

/** When to poll schedules again: soon while one runs, else when the next one is due. */
export function nextPoll({ runs, now }: { runs: readonly ScheduledRun[]; now: number }): number | false {
  const waits = runs.flatMap(({ status, occurrences, emailStatus, nextRunAt }) => {
    const isRunning = status === 'running' || (status === 'pending' && occurrences.length > 0)
    const untilDue = nextRunAt === null ? null : Date.parse(nextRunAt) - now
    return [
      isRunning && RUNNING_MS,
      emailStatus === 'pending' && MAIL_MS,
      untilDue !== null && (untilDue > 0 ? untilDue + AFTER_DUE_MS : OVERDUE_MS),
    ].filter((wait) => wait !== false)
  })
  return waits.length === 0 ? false : Math.min(...waits, LONGEST_MS)
}
