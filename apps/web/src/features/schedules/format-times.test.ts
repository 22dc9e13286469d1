import { expect, test } from 'vitest'
import { formatDue, formatTimeUntil } from './schedule-fields.tsx'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [30_000, 'in less than a minute'],
  [MINUTE, 'in 1 minute'],
  [59 * MINUTE, 'in 59 minutes'],
  [HOUR, 'in 1 hour'],
  [3 * HOUR + 20 * MINUTE, 'in 3 hours, 20 minutes'],
  [DAY, 'in 1 day'],
  [46 * HOUR + 59 * MINUTE, 'in 1 day, 22 hours'],
  [2 * DAY, 'in 2 days'],
  [9.9 * DAY, 'in 9 days'],
  [1562 * DAY, 'in 1,562 days'],
])('%i ms are said as ‘%s’', (milliseconds, words) => {
  expect(formatTimeUntil(milliseconds)).toBe(words)
})

test('a time is shown by the reader’s clock, the schedule’s beside it, with the year if it is not this one', () => {
  const now = Date.parse('2026-12-31T12:00:00Z')
  const due = (timeZone: string, ownZone: string) =>
    formatDue({ time: new Date('2026-12-31T23:30:00Z'), timeZone, ownZone, now })
  expect(due('UTC', 'UTC')).toBe('Thu, Dec 31 · 11:30 PM')
  expect(due('Europe/Berlin', 'Europe/Berlin')).toBe('Fri, Jan 1, 2027 · 12:30 AM')
  expect(due('UTC', 'Africa/Abidjan')).toBe('Thu, Dec 31 · 11:30 PM')
  expect(due('UTC', 'America/New_York')).toBe('Thu, Dec 31 · 11:30 PM (6:30 PM America/New York)')
})
