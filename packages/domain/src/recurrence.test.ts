import type { ScheduleRule } from '@catenary/contracts'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import {
  completeRule,
  describeSchedule,
  findCronProblem,
  fromWallClock,
  latestTimes,
  nextTimes,
  toWallClock,
} from './recurrence.ts'
import { ruleOf, ZONES } from './testing/schedule-rules.ts'

const DAY_MS = 86_400_000

const iso = (times: Date[]) => times.map((time) => time.toISOString())
const after = (rule: Parameters<typeof ruleOf>[0], moment: string, count = 3) =>
  iso(nextTimes(ruleOf(rule), new Date(moment), count))

describe('across daylight saving', () => {
  test.each([
    ['Europe/Berlin', '2026-03-28T02:30', '2026-03-29T01:00:00.000Z', '03:00'],
    ['America/New_York', '2026-03-07T02:30', '2026-03-08T07:00:00.000Z', '03:00'],
    ['Australia/Lord_Howe', '2026-10-03T02:10', '2026-10-03T15:30:00.000Z', '02:30'],
    ['America/Sao_Paulo', '2017-10-14T00:30', '2017-10-15T03:00:00.000Z', '01:00'],
  ])(
    'Times keep their wall clock across daylight saving; one that does not exist runs at the next valid minute (D35). (%s)',
    (timeZone, start, gap, clock) => {
      const scheduledTime = fromWallClock(start, timeZone)
      const [, second, third] = nextTimes(
        ruleOf({ timeZone, scheduledTime: scheduledTime.toISOString() }),
        new Date(scheduledTime.getTime() - 1),
        3,
      )
      expect(second?.toISOString()).toBe(gap)
      expect(toWallClock(second as Date, timeZone).slice(-5)).toBe(clock)
      expect(toWallClock(third as Date, timeZone).slice(-5)).toBe(start.slice(-5))
    },
  )

  test.each([
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
    ['America/Sao_Paulo', '2018-02-17T23:30', '2018-02-18T01:30:00.000Z'],
  ])('A time that exists twice runs once (D35). (%s)', (timeZone, local, first) => {
    expect(fromWallClock(local, timeZone).toISOString()).toBe(first)
    const times = nextTimes(ruleOf({ timeZone, scheduledTime: first }), new Date(Date.parse(first) - 1), 2)
    expect(times[0]?.toISOString()).toBe(first)
    expect((times[1]?.getTime() ?? 0) - Date.parse(first)).toBeGreaterThan(DAY_MS)
  })

  test('A cron line is judged by its meaning: each way of writing ‘every hour’ runs in a doubled hour, and steps that begin anew are named as the times they mean.', () => {
    const berlin = { timeZone: 'Europe/Berlin', recurringType: 'cron' } as const
    expect(after({ ...berlin, cron: '*/20 2 * * *' }, '2026-03-28T02:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:00:00.000Z',
    ])
    expect(after({ ...berlin, cron: '*/30 2 * * *' }, '2026-10-24T22:00:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:00:00.000Z',
    ])
    for (const hours of ['*', '?', '*/1', '0-23', '*/1,3', '0-11,12-23']) {
      expect(after({ ...berlin, cron: `*/30 ${hours} * * *` }, '2026-10-25T00:00:00Z', 4)).toEqual([
        '2026-10-25T00:30:00.000Z',
        '2026-10-25T01:00:00.000Z',
        '2026-10-25T01:30:00.000Z',
        '2026-10-25T02:00:00.000Z',
      ])
    }
    const hourly = after({ timeZone: 'Europe/Berlin', recurringType: 'hourly' }, '2026-10-24T22:30:00Z', 4)
    expect(hourly.map((time) => time.slice(11, 16))).toEqual(['23:00', '00:00', '01:00', '02:00'])
  })
})

describe('the first time', () => {
  test('The first run is the first match at or after scheduledTime, which also gives a missing weekday or day (D55).', () => {
    const start = '2026-01-01T08:00:00.000Z'
    expect(after({ start }, '2025-01-01T00:00:00Z', 1)).toEqual([start])
    expect(after({ start, recurringType: 'weekly', recurringDaysOfWeek: [1] }, start, 1)).toEqual([
      '2026-01-05T08:00:00.000Z',
    ])
    expect(after({ start, isRecurring: false }, '2025-01-01T00:00:00Z', 5)).toEqual([start])
    expect(after({ start, isRecurring: false }, start, 5)).toEqual([])
  })

  test('An hourly schedule runs at its first hour, to the second.', () => {
    const start = '2026-01-01T08:15:30.250Z'
    const times = ['2026-01-01T08:15:30.250Z', '2026-01-01T09:15:30.250Z', '2026-01-01T10:15:30.250Z']
    expect(after({ start, recurringType: 'hourly' }, '2025-12-31T00:00:00Z')).toEqual(times)
    expect(after({ start, recurringType: 'hourly' }, start, 2)).toEqual(times.slice(1))
    expect(after({ start, recurringType: 'hourly' }, '2026-01-01T09:15:10Z', 2)).toEqual(times.slice(1))
  })

  test('gives a weekly rule its weekday and a monthly one its day, by the clock of the zone', () => {
    const timeZone = 'Asia/Kolkata'
    const late = { start: '2026-01-01T20:00:00Z', timeZone }
    expect(completeRule(ruleOf({ ...late, recurringType: 'weekly' })).recurringDaysOfWeek).toEqual([5])
    expect(completeRule(ruleOf({ ...late, recurringType: 'monthly' })).recurringDayOfMonth).toBe(2)
    expect(
      completeRule(ruleOf({ recurringType: 'weekly', recurringDaysOfWeek: [3] })).recurringDaysOfWeek,
    ).toEqual([3])
  })
})

const anyRule = fc
  .record({
    scheduledTime: fc.date({ min: new Date('2014-01-01'), max: new Date('2034-01-01'), noInvalidDate: true }),
    timeZone: fc.constantFrom(...ZONES),
    recurringType: fc.constantFrom('daily', 'weekly', 'monthly', 'hourly', 'cron' as const),
    recurringDaysOfWeek: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
    recurringDayOfMonth: fc.option(fc.integer({ min: 1, max: 31 })),
    cron: fc.constantFrom('*/7 * * * *', '15 2 * * *', '0 9 * * 1-5', '30 1 1,31 * *', '0 */6 * * *'),
  })
  .map(({ scheduledTime, ...rule }) =>
    ruleOf({ ...rule, scheduledTime: scheduledTime.toISOString() } as ScheduleRule),
  )
const anyMoment = fc.date({ min: new Date('2014-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })

describe('any rule', () => {
  test('the next times are later than now and than each other, and never before the start', () => {
    fc.assert(
      fc.property(anyRule, anyMoment, (rule, now) => {
        const times = nextTimes(rule, now, 4).map(Number)
        expect(times).toHaveLength(4)
        const bounds = [Math.max(now.getTime(), Date.parse(rule.scheduledTime) - 1), ...times]
        for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(bounds[index] ?? 0)
      }),
    )
  })

  test('The next time is always later than now, and never skips one that is due.', () => {
    fc.assert(
      fc.property(anyRule, anyMoment, fc.double({ min: 0, max: 1, noNaN: true }), (rule, now, share) => {
        const [first, second] = nextTimes(rule, now, 2) as [Date, Date]
        const between = new Date(
          first.getTime() + Math.floor((second.getTime() - first.getTime() - 1) * share),
        )
        expect(nextTimes(rule, between, 1)).toEqual([second])
        expect(nextTimes(rule, new Date(first.getTime() - 1), 1)).toEqual([first])
      }),
    )
  })

  test('a daily, weekly or monthly rule has each day that its calendar names', () => {
    fc.assert(
      fc.property(anyRule, anyMoment, (rule, now) => {
        fc.pre(['daily', 'weekly', 'monthly'].includes(rule.recurringType ?? ''))
        const { recurringDaysOfWeek, recurringDayOfMonth, recurringType, timeZone } = completeRule(rule)
        const zoned = (time: Date) => DateTime.fromJSDate(time, { zone: timeZone })
        const [first, second] = nextTimes(rule, now, 2).map(zoned) as [DateTime, DateTime]
        const named = (day: DateTime) =>
          recurringType === 'daily' ||
          (recurringType === 'weekly' && recurringDaysOfWeek.includes(day.weekday % 7)) ||
          (recurringType === 'monthly' &&
            day.day === Math.min(recurringDayOfMonth ?? 0, day.daysInMonth ?? 0))
        expect([named(first), named(second)]).toEqual([true, true])
        for (
          let day = first.startOf('day').plus({ days: 1, hours: 12 });
          day < second.startOf('day');
          day = day.plus({ days: 1 })
        ) {
          expect(named(day), day.toISO() ?? '').toBe(false)
        }
      }),
    )
  })

  test('the latest times are the last of those that follow each other', () => {
    fc.assert(
      fc.property(anyRule, anyMoment, fc.integer({ min: 1, max: 40 }), (rule, now, many) => {
        const times = nextTimes(rule, now, many)
        const [from, until] = [times[0] as Date, times.at(-1) as Date]
        expect(latestTimes(rule, { from, until, count: 7 })).toEqual(times.slice(-7))
      }),
    )
  })
})

test.each([
  [{ isRecurring: false }, 'One-time'],
  [{}, 'Daily'],
  [{ recurringType: 'weekly', recurringDaysOfWeek: [5, 1] }, 'Weekly on Monday, Friday'],
  [{ recurringType: 'weekly', recurringDaysOfWeek: [0, 6] }, 'Weekly on Sunday, Saturday'],
  [{ recurringType: 'monthly', recurringDayOfMonth: 31 }, 'Monthly on day 31'],
  [{ recurringType: 'hourly' }, 'Custom recurring: Every hour'],
  [{ recurringType: 'cron', cron: '0 9 * * 1-5' }, 'Custom recurring: At 09:00, Monday through Friday'],
  [{ recurringType: 'cron', cron: '0 */6 * * *' }, 'Custom recurring: On the hour, every 6 hours'],
  [{ recurringType: 'cron', cron: '0 */13 * * *' }, 'Custom recurring: At 00:00 and 13:00'],
  [
    { recurringType: 'cron', cron: '*/25 * * * *' },
    'Custom recurring: At 0, 25, and 50 minutes past the hour',
  ],
  [
    { recurringType: 'cron', cron: '0 9 */12 * *' },
    'Custom recurring: At 09:00, on day 1, 13, and 25 of the month',
  ],
  [
    { recurringType: 'cron', cron: '0 9 * */5 *' },
    'Custom recurring: At 09:00, only in January, June, and November',
  ],
  [
    { recurringType: 'cron', cron: '0 9 * * */3' },
    'Custom recurring: At 09:00, only on Sunday, Wednesday, and Saturday',
  ],
] as [Partial<ScheduleRule>, string][])(
  'A schedule describes itself: One-time, Daily, Weekly on {days}, Monthly on day {n}, otherwise Custom recurring, with a cron line in words (D55). (%o, %s)',
  (rule, words) => {
    expect(describeSchedule(ruleOf(rule))).toBe(words)
  },
)

test('a line that never comes has no time, and one that is none says why', () => {
  expect(after({ recurringType: 'cron', cron: '0 0 31 2 *' }, '2026-01-01T00:00:00Z')).toEqual([])
  expect(findCronProblem('61 * * * *')).toBe('Invalid value for minute: 61')
  expect(findCronProblem('0 9 * 13 *')).toBe('Invalid value for month: 13')
  expect(findCronProblem('0 9 32 * *')).toBe('Invalid value for day: 32')
  expect(findCronProblem('0 9 * 0 *')).toBe('Invalid value for month: 0')
  expect(findCronProblem('0 9 * * 9')).toBe('Invalid value for dayOfWeek: 9')
  expect(findCronProblem('0 9 * * MON-FRI')).toBeUndefined()
})
