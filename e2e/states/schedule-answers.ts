import { makeOccurrence, makeSchedule } from '../../apps/web/src/features/schedules/testing/make-schedule.ts'
import type { ScheduledChain, ScheduledOccurrence, ScheduledRun } from '../../packages/contracts/src/index.ts'

const DAY_MS = 86_400_000
/** Far enough away that the list is not asked for again while someone looks. */
const NEXT = '2031-03-03T07:00:00.000Z'
const FIRST = Date.parse('2031-01-29T07:00:00.000Z')

const stateOf = (day: number): Partial<ScheduledOccurrence> => {
  if (day % 11 === 4) {
    const reason =
      'Step 2, Count and quote: Gemini answered with status 503 after 4 tries. It is overloaded at the moment.'
    return {
      state: 'failed',
      reason,
      emailStatus: 'failed',
      emailReason: 'ops@example.org: 550 No such user here',
    }
  }
  if (day === 9)
    return { state: 'skipped', reason: 'The run before still went on', executionId: null, emailStatus: null }
  if (day > 16 && day < 20) {
    return { state: 'missed', reason: 'The server was not running', executionId: null, emailStatus: null }
  }
  return {}
}

const occurrences = Array.from({ length: 30 }, (_, day) => {
  const scheduledFor = new Date(FIRST + day * DAY_MS).toISOString()
  const id = day + 1
  return makeOccurrence({ id, scheduledFor, executionId: id, startedAt: scheduledFor, ...stateOf(day) })
})

const daily = makeSchedule({
  id: 1,
  chainId: 1,
  description: 'Daily',
  scheduledTime: '2031-01-29T07:00:00.000Z',
  recurringType: 'daily',
  recurringDaysOfWeek: [],
  recurringDay: [],
  recipients: [
    { address: 'team@example.org', state: 'ready' },
    { address: 'ops@example.org', state: 'asked' },
  ],
  nextRunAt: NEXT,
  lastRunAt: '2026-11-20T07:00:00.000Z',
  lastExecutionId: 30,
  occurrences,
  createdBy: 'grace',
})

const paused: ScheduledRun = {
  ...daily,
  chainLabel: 'production',
  id: 2,
  name: 'Every objection of the summer, weighed against what we promised in the spring of that year',
  description:
    'Custom recurring: At 30 minutes past the hour, between 08:00 and 17:59, Monday through Friday, only in March and September',
  timeZone: 'America/Argentina/ComodRivadavia',
  recurringType: 'cron',
  cron: '30 8-17 * 3,9 1-5',
  active: false,
  nextRunAt: null,
  status: 'failed',
  pausedReason: 'It failed 5 times in a row, so it was deactivated. Activate it when the reason is gone.',
  emailRecipients: Array.from(
    { length: 12 },
    (_, n) => `a.rather.long.mailbox.name.${n}@department.of.example.org`,
  ),
  recipientCount: 12,
  emailStatus: 'failed',
  emailReason: 'a.rather.long.mailbox.name.7@department.of.example.org: 550 No such user here',
  occurrences: occurrences.slice(3, 9),
}

const foreign: ScheduledRun = {
  ...daily,
  id: 3,
  name: 'Monthly report',
  description: 'Monthly on day 31',
  status: 'running',
  emailStatus: null,
  emailRecipients: [],
  recipients: [],
  recipientCount: 3,
  createdBy: 'margaret_hamilton_draper_lab_1',
  isMine: false,
  canEdit: false,
  canExecute: false,
  occurrences: occurrences
    .slice(0, 1)
    .map((one) => ({ ...one, state: 'running', emailStatus: null, executionId: null })),
}

const fresh: ScheduledRun = {
  ...daily,
  id: 4,
  name: 'Once, next spring',
  description: 'One-time',
  isRecurring: false,
  recurringType: null,
  status: 'pending',
  recipientCount: 0,
  emailRecipients: [],
  recipients: [],
  emailStatus: null,
  lastRunAt: null,
  lastExecutionId: null,
  occurrences: [],
}

/** Typical ones: one that runs well, one that was paused, another person's, one that never ran. */
export const schedules: readonly ScheduledRun[] = [fresh, daily, foreign, paused]

/** A fair-sized installation whose mail is set up. */
export const scheduler = {
  paused: false,
  active: 1204,
  nextDueAt: NEXT,
  overdue: 0,
  lastLatenessMs: 6.2,
  mailIsSetUp: true,
  mailsWaiting: 3,
  mailsFailed: 1,
}

/** The first chains, whichever they are, run next at one time. */
export const scheduledChains: ScheduledChain[] = Array.from({ length: 20 }, (_, index) => ({
  chainId: index + 1,
  schedules: 1,
  nextRunAt: NEXT,
  timeZone: 'Europe/Berlin',
}))
