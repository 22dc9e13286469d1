import { expect, test } from 'vitest'
import { nextPoll } from './schedules.queries.ts'
import { makeSchedule } from './testing/make-schedule.ts'

const now = Date.parse('2026-11-23T06:59:00Z')
const idle = makeSchedule({ nextRunAt: null })

test.each([
  ['nothing to come', [idle], false],
  ['one in a minute', [idle, makeSchedule()], 61_000],
  ['one in a month', [makeSchedule({ nextRunAt: '2026-12-23T07:00:00Z' })], 3_600_000],
  ['one that is overdue', [makeSchedule({ nextRunAt: '2026-11-23T06:00:00Z' })], 10_000],
  ['one that runs', [makeSchedule(), { ...idle, status: 'running' as const }], 2000],
  ['one that is about to start', [{ ...idle, status: 'pending' as const }], 2000],
  ['one that never ran', [{ ...idle, status: 'pending' as const, occurrences: [] }], false],
  ['one whose mail is on its way', [{ ...idle, emailStatus: 'pending' as const }], 10_000],
])('The list of schedules follows runs that start by themselves. (%s)', (_, runs, expected) => {
  expect(nextPoll({ runs, now })).toBe(expected)
})
