import type { ScheduledOccurrence, ScheduledRun } from '@catenary/contracts'

/** A run of a schedule as the server sends it. */
export function makeOccurrence(fields: Partial<ScheduledOccurrence> = {}): ScheduledOccurrence {
  return {
    id: 1,
    scheduledFor: '2026-11-16T07:00:00.000Z',
    isManual: false,
    state: 'completed',
    reason: null,
    executionId: 217,
    startedAt: '2026-11-16T07:00:00.004Z',
    emailStatus: 'sent',
    emailReason: null,
    ...fields,
  }
}

/** A schedule as the server sends it: Mondays and Thursdays at 8:00 in Berlin, to two people. */
export function makeSchedule(fields: Partial<ScheduledRun> = {}): ScheduledRun {
  return {
    id: 5,
    chainId: 12,
    chainName: 'Monday digest',
    name: 'Digest for the team',
    description: 'Weekly on Monday, Thursday',
    scheduledTime: '2026-11-02T07:00:00.000Z',
    timeZone: 'Europe/Berlin',
    isRecurring: true,
    recurringType: 'weekly',
    recurringDaysOfWeek: [1, 4],
    recurringDayOfMonth: null,
    recurringDay: [1, 4],
    recurringWeek: null,
    cron: null,
    chainLabel: null,
    input: '',
    active: true,
    pausedReason: null,
    status: 'completed',
    emailRecipients: ['team@example.org', 'ops@example.org'],
    recipients: [
      { address: 'team@example.org', state: 'ready' },
      { address: 'ops@example.org', state: 'ready' },
    ],
    recipientCount: 2,
    mailsSkipped: false,
    failuresBeforePause: 5,
    fills: [],
    asksToFill: [],
    sends: [],
    asksToSend: [],
    emailStatus: 'sent',
    emailReason: null,
    nextRunAt: '2026-11-23T07:00:00.000Z',
    lastRunAt: '2026-11-19T07:00:00.004Z',
    lastExecutionId: 218,
    occurrences: [
      makeOccurrence(),
      makeOccurrence({ id: 2, scheduledFor: '2026-11-19T07:00:00.000Z', executionId: 218 }),
    ],
    createdBy: 'ada',
    isMine: true,
    canEdit: true,
    canDelete: true,
    canExecute: true,
    canDeactivate: true,
    revision: 3,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-19T07:00:09.000Z',
    ...fields,
  }
}
