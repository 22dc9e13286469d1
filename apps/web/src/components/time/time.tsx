import { formatInZones, formatTime, type TimeStyle } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

interface TimeProps {
  time: string
  as?: TimeStyle
  /** Of the schedule that the time belongs to; named beside it where its clock shows another hour. */
  ownZone?: string | undefined
  className?: string
}

/** A time by the clock of the person who reads it. */
export function Time({ time, as, ownZone, className }: TimeProps) {
  const shown = { time, timeZone: useTimeZone(), ...(as && { as }) }
  return (
    <time dateTime={time} className={className}>
      {ownZone === undefined ? formatTime(shown) : formatInZones({ ...shown, ownZone })}
    </time>
  )
}
