import { formatRelativeDay } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

export function RelativeDay({ time }: { time: string }) {
  const timeZone = useTimeZone()
  return <time dateTime={time}>{formatRelativeDay({ time, now: Date.now(), timeZone })}</time>
}
