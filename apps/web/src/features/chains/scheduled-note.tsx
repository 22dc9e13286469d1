import type { ScheduledChain } from '@catenary/contracts'
import { CalendarClockIcon } from 'lucide-react'
import { Link } from 'wouter'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'

interface ScheduledNoteProps {
  scheduled: ScheduledChain
  /** Says what the time is of. */
  isNamed?: boolean
}

export function ScheduledNote({ scheduled, isNamed = false }: ScheduledNoteProps) {
  const { chainId, schedules, nextRunAt } = scheduled
  const next = formatTime({ time: nextRunAt, timeZone: useTimeZone() })
  const count = schedules === 1 ? '' : `, ${schedules} schedules`
  return (
    <Link
      href={`/chains/${chainId}/scheduled`}
      aria-label={`Scheduled, next ${next}`}
      title={`Scheduled, next ${next}${count}`}
      className="relative z-1 flex h-6 min-w-0 items-center gap-1 rounded-tag text-xs text-text-3 hover:text-text pointer-coarse:-my-2.5 pointer-coarse:h-11"
    >
      <CalendarClockIcon className="size-3.5 shrink-0" />
      <span className="truncate">
        {isNamed && 'next '}
        <time dateTime={nextRunAt}>{next}</time>
      </span>
    </Link>
  )
}
