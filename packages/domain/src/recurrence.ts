import type { ScheduleRule } from '@catenary/contracts'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import { DateTime } from 'luxon'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const HOUR_MS = 3_600_000

type Clock = Pick<DateTime, 'hour' | 'minute' | 'second' | 'millisecond'>

/** The rule with the weekday or the day of the month that `scheduledTime` gives it where it names none (D55). */
export function completeRule<Rule extends ScheduleRule>(rule: Rule): Rule {
  const { weekday, day } = startOf(rule)
  const { recurringType, recurringDaysOfWeek, recurringDayOfMonth } = rule
  return {
    ...rule,
    recurringDaysOfWeek:
      recurringType === 'weekly' && recurringDaysOfWeek.length === 0 ? [weekday % 7] : recurringDaysOfWeek,
    recurringDayOfMonth: recurringType === 'monthly' ? (recurringDayOfMonth ?? day) : recurringDayOfMonth,
  }
}

/** The next times after a moment, earliest first: fewer than `count`, or none, where there are no more. */
export function nextTimes(rule: ScheduleRule, after: Date, count: number): Date[] {
  const start = Date.parse(rule.scheduledTime)
  const times: Date[] = []
  let last = Math.max(after.getTime(), start - 1)
  for (const time of timesFrom(rule, last)) {
    if (times.length >= count) break
    if (time <= last) continue
    times.push(new Date(time))
    last = time
  }
  return times
}

/** The last times from one moment to another, both included, earliest first: at most `count`. */
export function latestTimes(
  rule: ScheduleRule,
  { from, until, count }: { from: Date; until: Date; count: number },
): Date[] {
  // Searches further and further back: an every-minute schedule may have missed many times.
  for (let span = HOUR_MS; ; span *= 8) {
    const after = Math.max(from.getTime() - 1, until.getTime() - span)
    const times = timesUntil(rule, { after, until })
    if (times.length >= count || after < from.getTime()) return times.slice(-count)
  }
}

/** In words: 'One-time', 'Daily', 'Weekly on Monday, Friday', 'Monthly on day 31', 'Custom recurring: …'. */
export function describeSchedule(rule: ScheduleRule): string {
  const { isRecurring, recurringType, recurringDaysOfWeek, recurringDayOfMonth } = completeRule(rule)
  if (!isRecurring) return 'One-time'
  switch (recurringType) {
    case 'daily':
      return 'Daily'
    case 'weekly':
      return `Weekly on ${[...new Set(recurringDaysOfWeek)]
        .sort()
        .map((day) => WEEKDAYS[day])
        .join(', ')}`
    case 'monthly':
      return `Monthly on day ${recurringDayOfMonth}`
    default:
      return ['Custom recurring', asText(lineOf(rule))].filter((part) => part !== '').join(': ')
  }
}

/** Why a line is invalid, in the parser's words; undefined for a valid one. */
export function findCronProblem(line: string): string | undefined {
  try {
    parseLine(line, 'UTC')
    return undefined
  } catch (error) {
    return error instanceof Error ? asTyped(error.message) : String(error)
  }
}

/** The parser counts days and months from 0 in what it says of them. */
function asTyped(message: string): string {
  return message
    .replace(/^CronPattern: /, '')
    .replace(
      /(value for (?:day|month): )(-?\d+)/,
      (_, before: string, value) => `${before}${Number(value) + 1}`,
    )
}

/** The moment at which a clock of the zone first shows this time, such as 2026-11-22T09:00, or would have (D35). */
export function fromWallClock(local: string, timeZone: string): Date {
  const date = DateTime.fromISO(local, { zone: 'UTC' })
  return new Date(toInstant(date, date, timeZone))
}

/** What a clock of the zone shows, such as 2026-11-22T09:00. */
export function toWallClock(time: Date, timeZone: string): string {
  return DateTime.fromJSDate(time, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm")
}

function timesUntil(rule: ScheduleRule, { after, until }: { after: number; until: Date }): Date[] {
  const times: Date[] = []
  let [next] = nextTimes(rule, new Date(after), 1)
  while (next !== undefined && next <= until) {
    times.push(next)
    next = nextTimes(rule, next, 1)[0]
  }
  return times
}

function startOf({ scheduledTime, timeZone }: ScheduleRule): DateTime {
  return DateTime.fromISO(scheduledTime, { zone: timeZone })
}

/** In milliseconds; begins before `after` and may repeat itself. */
function* timesFrom(rule: ScheduleRule, after: number): Iterable<number> {
  const { isRecurring, recurringType, timeZone } = rule
  if (!isRecurring || recurringType === null) {
    yield Date.parse(rule.scheduledTime)
  } else if (recurringType === 'hourly') {
    const { second, millisecond } = startOf(rule)
    const pastTheMinute = second * 1000 + millisecond
    for (const time of timesOfLine(lineOf(rule), timeZone, after - pastTheMinute)) yield time + pastTheMinute
  } else if (recurringType === 'cron') {
    yield* timesOfLine(lineOf(rule), timeZone, after)
  } else {
    const clock = startOf(rule)
    for (const date of datesFrom(completeRule(rule), after)) yield toInstant(date, clock, timeZone)
  }
}

/** Without an end: each kind of rule comes once a month at least. */
function* datesFrom(rule: ScheduleRule, after: number): Iterable<DateTime> {
  const today = DateTime.fromMillis(after, { zone: rule.timeZone })
  const first = DateTime.utc(today.year, today.month, today.day).minus({ days: 1 })
  for (let days = 0; ; days += 1) {
    const date = first.plus({ days })
    if (isDayOf(rule, date)) yield date
  }
}

function isDayOf({ recurringType, recurringDaysOfWeek, recurringDayOfMonth }: ScheduleRule, date: DateTime) {
  if (recurringType === 'weekly') return recurringDaysOfWeek.includes(date.weekday % 7)
  if (recurringType === 'monthly') {
    return date.day === Math.min(recurringDayOfMonth ?? 1, date.daysInMonth ?? date.day)
  }
  return true
}

function lineOf(rule: ScheduleRule): string {
  return rule.recurringType === 'hourly' ? `${startOf(rule).minute} * * * *` : (rule.cron ?? '')
}

function parseLine(line: string, timezone: string): Cron {
  return new Cron(line, { timezone, mode: '5-part', paused: true })
}

/** What runs every hour runs in a doubled hour too; a line that names hours follows the clock on the wall (D35). */
function* timesOfLine(line: string, timeZone: string, after: number): Iterable<number> {
  if (runsEveryHour(line)) {
    const cron = parseLine(line, timeZone)
    for (let time = cron.nextRun(new Date(after)); time !== null; time = cron.nextRun(time)) yield +time
    return
  }
  const wall = parseLine(line, 'UTC')
  const from = DateTime.fromMillis(after, { zone: timeZone }).setZone('UTC', { keepLocalTime: true })
  let date = wall.nextRun(from.minus({ days: 1 }).toJSDate())
  for (; date !== null; date = wall.nextRun(date)) {
    const local = DateTime.fromJSDate(date, { zone: 'UTC' })
    yield toInstant(local, local, timeZone)
  }
}

/** Judged by what the field means: a star, a question mark, a step of one and 0-23 are the same. */
function runsEveryHour(line: string): boolean {
  const [, hours = ''] = line.trim().split(/\s+/)
  const from = Date.UTC(2026, 0, 1)
  const last = parseLine(`0 ${hours} * * *`, 'UTC')
    .nextRuns(24, new Date(from - 1))
    .at(-1)
  return last !== undefined && last.getTime() === from + 23 * HOUR_MS
}

/** A time that does not exist becomes the first moment after the gap; of one that exists twice it is the first (D35). */
function toInstant({ year, month, day }: DateTime, clock: Clock, zone: string): number {
  const { hour, minute, second, millisecond } = clock
  const time = DateTime.fromObject({ year, month, day, hour, minute, second, millisecond }, { zone })
  if (time.hour === hour && time.minute === minute && time.day === day) {
    return time.getPossibleOffsets()[0]?.toMillis() ?? time.toMillis()
  }
  return endOfGapBefore(time)
}

/** luxon moves a time in a gap on by the length of the gap: past its end, by less than a day. */
function endOfGapBefore(time: DateTime): number {
  let [before, end] = [time.minus({ days: 1 }).toMillis(), time.toMillis()]
  while (end - before > 1) {
    const middle = Math.floor((before + end) / 2)
    if (time.offset === DateTime.fromMillis(middle, { zone: time.zone }).offset) end = middle
    else before = middle
  }
  return end
}

function asText(line: string): string {
  try {
    return cronstrue.toString(withWholeSteps(line), { use24HourTimeFormat: true })
  } catch {
    return line
  }
}

/** The first value of each field of a line, and how many it has before it begins anew. */
const FIELDS = [
  { first: 0, count: 60 },
  { first: 0, count: 24 },
  { first: 1, count: 31 },
  { first: 1, count: 12 },
  { first: 0, count: 7 },
]

/** A step that does not divide its field begins anew with it: every 13 hours are the hours 0 and 13. */
function withWholeSteps(line: string): string {
  const fields = line.trim().split(/\s+/)
  const written = fields.map((field, index) => {
    const step = Number(/^[*?]\/(\d+)$/.exec(field)?.[1])
    const { first, count } = FIELDS[index] ?? { first: 0, count: 0 }
    if (Number.isNaN(step) || count % step === 0) return field
    return Array.from({ length: Math.ceil(count / step) }, (_, turn) => first + turn * step).join(',')
  })
  return written.join(' ')
}
