import { formatInZones, formatTime } from '../../lib/text/format-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Due {
  time: Date
  timeZone: string
  ownZone: string
  now: number
}

/** `Mon, Nov 23 · 8:00 AM` by the reader's clock, the schedule's beside it; with its year where that is not this one. */
export function formatDue({ time, timeZone, ownZone, now }: Due): string {
  const yearOf = (moment: Date | number) => formatTime({ time: moment, as: 'day', timeZone }).slice(-4)
  const day = formatTime({
    time,
    as: yearOf(time) === yearOf(now) ? 'weekday' : 'weekdayAndYear',
    timeZone,
  })
  return `${day} · ${formatInZones({ time, as: 'clock', timeZone, ownZone })}`
}

/** `in 5 minutes`, `in 3 hours, 20 minutes`, `in 1 day, 22 hours`, `in 9 days`. */
export function formatTimeUntil(milliseconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(milliseconds / DAY_MS),
    Math.floor((milliseconds % DAY_MS) / HOUR_MS),
    Math.floor((milliseconds % HOUR_MS) / MINUTE_MS),
  ]
  if (days >= 2) return `in ${days.toLocaleString('en')} days`
  const parts =
    days === 1 ? [count(1, 'day'), count(hours, 'hour')] : [count(hours, 'hour'), count(minutes, 'minute')]
  const shown = parts.filter((part) => !part.startsWith('0 '))
  return shown.length === 0 ? 'in less than a minute' : `in ${shown.join(', ')}`
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
