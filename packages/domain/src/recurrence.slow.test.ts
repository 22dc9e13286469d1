import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { fromWallClock, nextTimes } from './recurrence.ts'
import { ruleOf, ZONES } from './testing/schedule-rules.ts'

const TEN_YEARS_DAYS = 3_653

describe.each(ZONES)('ten years in %s', (timeZone) => {
  test.each([
    ['from 2014', '2014-01-01'],
    ['from today', DateTime.utc().toISODate()],
  ])('%s: each daily rule has one run a local day, in the order of the days', (_name, firstDay) => {
    for (const clock of ['00:00', '02:30', '23:45']) {
      const scheduledTime = fromWallClock(`${firstDay}T${clock}`, timeZone)
      const rule = ruleOf({ timeZone, scheduledTime: scheduledTime.toISOString() })
      const times = nextTimes(rule, new Date(scheduledTime.getTime() - 1), TEN_YEARS_DAYS)
      const days = times.map((time) => DateTime.fromJSDate(time, { zone: timeZone }).toISODate())
      const first = DateTime.fromISO(firstDay, { zone: 'UTC' })
      expect(days).toEqual(days.map((_day, index) => first.plus({ days: index }).toISODate()))
      expect(days).toHaveLength(TEN_YEARS_DAYS)
    }
  })

  test('Day 31 runs on the last day of shorter months (D35).', () => {
    const rule = ruleOf({
      timeZone,
      recurringType: 'monthly',
      recurringDayOfMonth: 31,
      start: '2014-01-01T12:00:00Z',
    })
    const days = nextTimes(rule, new Date('2014-01-01T00:00:00Z'), 120).map((time) =>
      DateTime.fromJSDate(time, { zone: timeZone }),
    )
    expect(days.map((day) => day.day)).toEqual(days.map((day) => day.daysInMonth))
    const first = DateTime.fromObject({ year: 2014, month: 1 }, { zone: 'UTC' })
    expect(days.map((day) => day.toFormat('yyyy-MM'))).toEqual(
      days.map((_day, index) => first.plus({ months: index }).toFormat('yyyy-MM')),
    )
  })
})
