const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DATE = { month: 'short', day: 'numeric', year: 'numeric' } as const
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const
const WALL_CLOCK = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

const STYLES = {
  moment: { ...DATE, ...CLOCK },
  second: { ...DATE, ...CLOCK, second: '2-digit' },
  clock: CLOCK,
  day: DATE,
  shortDay: { month: 'short', day: 'numeric' },
  weekday: { weekday: 'short', month: 'short', day: 'numeric' },
  weekdayAndYear: { weekday: 'short', ...DATE },
  month: { month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type TimeStyle = keyof typeof STYLES
type Moment = string | number | Date

export interface FormatTime {
  time: Moment
  as?: TimeStyle
  timeZone: string
}

export function formatTime({ time, as = 'moment', timeZone }: FormatTime): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'Invalid date'
  // Newer browsers put a narrow space before AM.
  const text = formatOf({ as, timeZone }).format(date).replaceAll('\u202f', ' ')
  return text.replace(/, (?=\d+:)/, ' ')
}

export function formatInZones({
  time,
  as = 'moment',
  timeZone,
  ownZone,
}: FormatTime & { ownZone: string }): string {
  const theirs = formatTime({ time, as, timeZone })
  const own = formatTime({ time, as, timeZone: ownZone })
  if (theirs === own) return theirs
  const isSameDay = dayOf({ time, timeZone }) === dayOf({ time, timeZone: ownZone })
  const shown = isSameDay ? formatTime({ time, as: 'clock', timeZone: ownZone }) : own
  return `${theirs} (${shown} ${zoneLabel(ownZone)})`
}

export function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ')
}

export function offsetOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function formatRelativeTime({ time, now }: { time: string; now: number }): string {
  const age = now - Date.parse(time)
  for (const [unit, length] of UNITS) {
    if (Math.abs(age) >= length) return relative.format(-Math.trunc(age / length), unit)
  }
  return 'just now'
}

export function formatRelativeDay({ time, now, timeZone }: FormatTime & { now: number }): string {
  const dayNumber = (moment: Moment) => Date.parse(dayOf({ time: moment, timeZone })) / DAY_MS
  const days = dayNumber(now) - dayNumber(time)
  return days < 30 ? relative.format(-days, 'day') : formatTime({ time, as: 'day', timeZone })
}

export function toClock({ time, timeZone }: FormatTime): string {
  return wallClock({ time, timeZone }).slice(0, 16)
}

export function fromClock({ local, timeZone }: { local: string; timeZone: string }): Date | null {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return null
  const offsetAt = (moment: number) => Date.parse(`${wallClock({ time: moment, timeZone })}Z`) - moment
  // The second pass is for the hours around a change of the clocks.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess))
}

function dayOf({ time, timeZone }: FormatTime): string {
  return wallClock({ time, timeZone }).slice(0, 10)
}

function wallClock({ time, timeZone }: FormatTime): string {
  const format = cached(
    `wall ${timeZone}`,
    () => new Intl.DateTimeFormat('en-US', { ...WALL_CLOCK, timeZone }),
  )
  const parts = Object.fromEntries(
    format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`
}

function formatOf({ as, timeZone }: { as: TimeStyle; timeZone: string }): Intl.DateTimeFormat {
  return cached(`${as} ${timeZone}`, () => new Intl.DateTimeFormat('en-US', { ...STYLES[as], timeZone }))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes a thousand times as long as using it. */
function cached(key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const format = formats.get(key) ?? make()
  formats.set(key, format)
  return format
}
