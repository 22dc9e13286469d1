const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DATE = { weekday: 'short', month: 'short', day: 'numeric' } as const
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const

/** `8:00 AM` by the clock of the zone. */
export function formatClock({ time, timeZone }: { time: Date; timeZone: string }): string {
  return plain(new Intl.DateTimeFormat('en-US', { ...CLOCK, timeZone }).format(time))
}

/** `Mon, Nov 23 · 8:00 AM` by the clock of the zone; with its year where that is not this one. */
export function formatDue({ time, timeZone, now }: { time: Date; timeZone: string; now: number }): string {
  const yearOf = (moment: number) =>
    new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(moment)
  const isThisYear = yearOf(time.getTime()) === yearOf(now)
  const format = new Intl.DateTimeFormat('en-US', {
    ...DATE,
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone,
  })
  return `${plain(format.format(time))} · ${formatClock({ time, timeZone })}`
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
  const told = parts.filter((part) => !part.startsWith('0 '))
  return told.length === 0 ? 'in less than a minute' : `in ${told.join(', ')}`
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}

/** Newer browsers put a narrow space before AM. */
function plain(text: string): string {
  return text.replaceAll('\u202f', ' ')
}
