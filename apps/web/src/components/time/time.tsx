import { formatInZones, formatTime, type TimeStyle } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

interface TimeProps {
  time: string
  as?: TimeStyle
  ownZone?: string | undefined
  className?: string
}

export function Time({ time, as, ownZone, className }: TimeProps) {
  const shown = { time, timeZone: useTimeZone(), ...(as && { as }) }
  return (
    <time dateTime={time} className={className}>
      {ownZone === undefined ? formatTime(shown) : formatInZones({ ...shown, ownZone })}
    </time>
  )
}
