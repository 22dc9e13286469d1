import { expect, test } from 'vitest'
import { lastDue, listSpare } from './kept-copies.ts'

const timeZone = 'Europe/Berlin'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

test.each([
  ['2026-11-24T03:00:00+01:00', '2026-11-24T02:00:00.000Z'],
  ['2026-11-24T02:59:00+01:00', '2026-11-23T02:00:00.000Z'],
  ['2026-11-24T23:59:00+01:00', '2026-11-24T02:00:00.000Z'],
  // 02:30 did not come that night.
  ['2026-03-29T12:00:00+02:00', '2026-03-29T01:00:00.000Z'],
])('at %s a copy has been due since %s', (now, due) => {
  const time = now.startsWith('2026-03') ? '02:30' : '03:00'
  expect(lastDue({ now: new Date(now), time, timeZone }).toISOString()).toBe(due)
})

const daysBefore = (days: number) => new Date(Date.parse('2026-11-24T02:00:00Z') - days * DAY_MS)
const copy = (days: number, more: object = {}) => ({
  ...{ takenAt: daysBefore(days), reason: 'daily' as const, isProven: false },
  ...more,
})
const left = (copies: ReturnType<typeof copy>[]) => {
  const spare = listSpare(copies, { timeZone })
  return copies
    .filter((each) => !spare.includes(each))
    .map(({ takenAt }) => takenAt.toISOString().slice(5, 10))
}

test('of sixty nights seven days stay, and the newest of each of four weeks before', () => {
  const nights = Array.from({ length: 60 }, (_, days) => copy(days))
  expect(left(nights)).toEqual([
    ...['11-24', '11-23', '11-22', '11-21', '11-20', '11-19', '11-18'],
    ...['11-17', '11-15', '11-08', '11-01'],
  ])
})

test('Each night a copy is made, in one of all processes, or at the next start. Kept are seven days, four weeks, five migrations, all by hand, and the newest that was proven.', () => {
  const migrations = Array.from({ length: 8 }, (_, n) => ({
    ...copy(n),
    reason: 'before migration' as const,
  }))
  expect(listSpare(migrations, { timeZone })).toEqual(migrations.slice(5))
  const byHand = Array.from({ length: 20 }, (_, n) => ({ ...copy(n), reason: 'by hand' as const }))
  expect(listSpare(byHand, { timeZone })).toEqual([])
  const proven = copy(200, { isProven: true })
  const nights = Array.from({ length: 60 }, (_, days) => copy(days))
  expect(listSpare([...nights, proven], { timeZone })).not.toContain(proven)
})
