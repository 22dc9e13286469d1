import { expect, test } from 'vitest'
import { formatDue, formatTimeUntil } from './format-times.ts'

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

test('a time is told by the clock of its zone, with the year where it is another', () => {
  const now = Date.parse('2026-12-31T12:00:00Z')
  const time = new Date('2026-12-31T23:30:00Z')
  expect(formatDue({ time, timeZone: 'UTC', now })).toBe('Thu, Dec 31 · 11:30 PM')
  expect(formatDue({ time, timeZone: 'Europe/Berlin', now })).toBe('Fri, Jan 1, 2027 · 12:30 AM')
})
