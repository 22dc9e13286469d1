import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'

const DAY_MS = 86_400_000

interface DayAndClockProps {
  time: string
  /** ‘Today, 3:00 AM’, or in a sentence ‘3:00 AM today’. */
  as?: 'label' | 'words'
  className?: string
}

export function DayAndClock({ time, as = 'label', className }: DayAndClockProps) {
  const timeZone = useTimeZone()
  const day = nameDay({ time, timeZone })
  const clock = formatTime({ time, as: 'clock', timeZone })
  return (
    <time dateTime={time} className={className}>
      {as === 'label'
        ? `${day.replace(/^[ty]/, (letter) => letter.toUpperCase())}, ${clock}`
        : `${clock} ${day}`}
    </time>
  )
}

function nameDay({ time, timeZone }: { time: string; timeZone: string }): string {
  const dayOf = (of: string | number) => formatTime({ time: of, as: 'day', timeZone })
  const now = Date.now()
  if (dayOf(time) === dayOf(now)) return 'today'
  if (dayOf(time) === dayOf(now - DAY_MS)) return 'yesterday'
  const isOfThisYear = dayOf(time).slice(-4) === dayOf(now).slice(-4)
  return formatTime({ time, as: isOfThisYear ? 'weekday' : 'day', timeZone })
}
