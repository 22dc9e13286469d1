import { useSyncExternalStore } from 'react'
import { formatRelativeTime, formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

const MINUTE_MS = 60_000

export function RelativeTime({ time, className }: { time: string; className?: string }) {
  const timeZone = useTimeZone()
  const minute = useMinute()
  const now = Math.max((minute + 1) * MINUTE_MS - 1, Date.parse(time))
  return (
    <time dateTime={time} title={formatTime({ time, timeZone })} className={className}>
      {formatRelativeTime({ time, now })}
    </time>
  )
}

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
