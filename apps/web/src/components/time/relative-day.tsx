import { formatRelativeDay } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

/** 'today', 'yesterday', '3 days ago', then the date: for times that are known to the day only. */
export function RelativeDay({ time }: { time: string }) {
  const timeZone = useTimeZone()
  return <time dateTime={time}>{formatRelativeDay({ time, now: Date.now(), timeZone })}</time>
}
