import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3_600_000],
  ['month', 30 * 24 * 3_600_000],
  ['week', 7 * 24 * 3_600_000],
  ['day', 24 * 3_600_000],
  ['hour', 3_600_000],
  ['minute', MINUTE_MS],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** '2 hours ago', 'yesterday', 'just now'. */
export function formatRelativeTime({ time, now }: { time: string; now: number }): string {
  const age = now - Date.parse(time)
  for (const [unit, length] of UNITS) {
    if (Math.abs(age) >= length) return relative.format(-Math.trunc(age / length), unit)
  }
  return 'just now'
}

/** How long ago, kept current; the exact time on hover. */
export function RelativeTime({ time, className }: { time: string; className?: string }) {
  const minute = useMinute()
  const now = Math.max((minute + 1) * MINUTE_MS - 1, Date.parse(time))
  return (
    <time dateTime={time} title={absolute.format(new Date(time))} className={className}>
      {formatRelativeTime({ time, now })}
    </time>
  )
}

/** The minutes since the epoch, kept current. */
export function useMinute(): number {
  return useSyncExternalStore(everyMinute, currentMinute)
}

function everyMinute(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS)
  return () => clearInterval(timer)
}

function currentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS)
}
