import type { ScheduleRule } from '@catenary/contracts'

/** With whole and half hours, with daylight saving on either side of the equator, and without. */
export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/Sao_Paulo',
]

/** A daily rule but for what is given. */
export function ruleOf({
  start = '2026-01-01T08:00:00Z',
  ...rule
}: Partial<ScheduleRule> & { start?: string }): ScheduleRule {
  return {
    ...{ scheduledTime: start, timeZone: 'UTC', isRecurring: true, recurringType: 'daily' },
    ...{ recurringDaysOfWeek: [], recurringDayOfMonth: null, cron: null, ...rule },
  } as ScheduleRule
}
