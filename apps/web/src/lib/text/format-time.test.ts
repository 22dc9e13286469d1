import { expect, test } from 'vitest'
import { formatInZones, formatRelativeDay, formatTime, fromClock, toClock } from './format-time.ts'

const time = '2026-11-24T07:00:00.000Z'

test.each([
  ['moment', 'Nov 24, 2026 8:00 AM'],
  ['second', 'Nov 24, 2026 8:00:00 AM'],
  ['clock', '8:00 AM'],
  ['day', 'Nov 24, 2026'],
  ['shortDay', 'Nov 24'],
  ['weekday', 'Tue, Nov 24'],
  ['weekdayAndYear', 'Tue, Nov 24, 2026'],
  ['month', 'November'],
] as const)(
  'Every time shows by the clock of the person’s settings, else the browser’s; one function writes them all. (%s, %s)',
  (as, words) => {
    expect(formatTime({ time, as, timeZone: 'Europe/Berlin' })).toBe(words)
  },
)

test('Dates read as MMM d, yyyy h:mm a.', () => {
  expect(formatTime({ time: '2026-03-02T00:30:00Z', timeZone: 'UTC' })).toBe('Mar 2, 2026 12:30 AM')
})

test('A time that is none reads ‘Invalid date’.', () => {
  expect(formatTime({ time: 'soon', timeZone: 'UTC' })).toBe('Invalid date')
})

test('A schedule’s own time stands beside the reader’s where it differs.', () => {
  const read = (timeZone: string, ownZone: string) => formatInZones({ time, timeZone, ownZone })
  expect(read('Europe/Berlin', 'Europe/Paris')).toBe('Nov 24, 2026 8:00 AM')
  expect(read('UTC', 'Europe/Berlin')).toBe('Nov 24, 2026 7:00 AM (8:00 AM Europe/Berlin)')
  expect(read('America/New_York', 'America/Los_Angeles')).toBe(
    'Nov 24, 2026 2:00 AM (Nov 23, 2026 11:00 PM America/Los Angeles)',
  )
})

test('a day is one of the reader’s clock', () => {
  const now = Date.parse('2026-11-24T01:00:00Z')
  const read = (timeZone: string) => formatRelativeDay({ time: '2026-11-23T23:30:00Z', now, timeZone })
  expect(read('UTC')).toBe('yesterday')
  expect(read('Europe/Berlin')).toBe('today')
  expect(formatRelativeDay({ time: '2026-09-01T23:30:00Z', now, timeZone: 'Europe/Berlin' })).toBe(
    'Sep 2, 2026',
  )
})

test.each([
  ['2026-11-24T08:00', 'Europe/Berlin', '2026-11-24T07:00:00.000Z'],
  ['2026-07-01T00:15', 'America/New_York', '2026-07-01T04:15:00.000Z'],
  // The hours before and after the clocks change.
  ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('what an input holds, %s by the clock of %s, is a moment, and back', (local, timeZone, moment) => {
  expect(fromClock({ local, timeZone })?.toISOString()).toBe(moment)
  expect(toClock({ time: moment, timeZone })).toBe(local)
})

test('what an input holds may be no moment', () => {
  expect(fromClock({ local: '', timeZone: 'UTC' })).toBeNull()
})
