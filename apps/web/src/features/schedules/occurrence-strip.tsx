import type { EmailStatus, OccurrenceState, ScheduledOccurrence, ScheduledRun } from '@catenary/contracts'
import { type PointerEvent, useState } from 'react'
import { Link } from 'wouter'
import { formatInZones } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { cn } from '../../lib/utils.ts'
import { runAddress } from './run-address.ts'

const MAIL_WORDS: Record<EmailStatus, string> = {
  sent: 'mailed',
  pending: 'mail pending',
  failed: 'mail failed',
}

/** Told apart by height and fill, not by colour alone. */
const BARS: Record<OccurrenceState, string> = {
  completed: 'h-4 bg-ok',
  failed: 'h-6 bg-danger',
  running: 'h-4 bg-accent',
  pending: 'h-2 border border-line-strong',
  skipped: 'h-2 bg-line-strong',
  missed: 'h-4 border border-dashed border-warn',
}
const DOTS: Record<EmailStatus, string> = {
  sent: 'bg-text-2',
  pending: 'border border-text-3',
  failed: 'bg-danger',
}

export function OccurrenceStrip({ schedule }: { schedule: ScheduledRun }) {
  const { occurrences, name, timeZone: ownZone, chainId } = schedule
  const timeZone = useTimeZone()
  const last = occurrences.length - 1
  const [chosen, setChosen] = useState<number | null>(null)
  const place = Math.min(chosen ?? last, last)
  const occurrence = occurrences[place]
  if (occurrence === undefined) return <p className="text-sm text-text-3">No runs yet</p>
  const choose = (place: number) => setChosen(place === last ? null : place)
  const chooseAt = ({ clientX, currentTarget }: PointerEvent<HTMLInputElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (width > 0)
      choose(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * occurrences.length))))
  }
  const words = occurrenceText({ occurrence, timeZone, ownZone })
  return (
    <div className="grid gap-1.5">
      {last > 0 && (
        <div className="relative flex h-9 w-fit max-w-full min-w-11 rounded-[5px] outline-offset-2 has-focus-visible:outline-3 has-focus-visible:outline-ring pointer-coarse:h-11">
          {occurrences.map((each, index) => (
            <Mark key={each.id} occurrence={each} isChosen={index === place} />
          ))}
          <input
            type="range"
            aria-label={`Last runs of ${name}: ${countStates(occurrences)}`}
            aria-valuetext={words}
            min={0}
            max={last}
            value={place}
            onChange={(event) => choose(event.target.valueAsNumber)}
            onPointerMove={chooseAt}
            onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(null)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </div>
      )}
      <p className="text-xs text-text-2 wrap-anywhere">
        <span>{words}</span>
        {occurrence.executionId !== null && (
          <>
            {' · '}
            <Link
              href={runAddress({ chainId, executionId: occurrence.executionId })}
              className="text-accent-text underline underline-offset-3"
            >
              Execution #{occurrence.executionId}
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

function Mark({
  occurrence: { state, emailStatus },
  isChosen,
}: {
  occurrence: ScheduledOccurrence
  isChosen: boolean
}) {
  return (
    <span
      aria-hidden="true"
      data-state={state}
      className={cn(
        'flex w-5 min-w-0 shrink flex-col items-center justify-end gap-1 rounded-[4px] pb-0.5',
        isChosen && 'bg-hover',
      )}
    >
      <span className={cn('w-2.5 max-w-[70%] rounded-[2px]', BARS[state])} />
      <span className={cn('size-1 rounded-full', emailStatus && DOTS[emailStatus])} />
    </span>
  )
}

function occurrenceText({
  occurrence: { scheduledFor, isManual, state, reason, emailStatus, emailReason },
  timeZone,
  ownZone,
}: {
  occurrence: ScheduledOccurrence
  timeZone: string
  ownZone: string
}): string {
  const outcome = reason === null ? state : `${state}: ${reason}`
  const mail =
    emailStatus &&
    (emailReason === null ? MAIL_WORDS[emailStatus] : `${MAIL_WORDS[emailStatus]}: ${emailReason}`)
  const when = formatInZones({ time: scheduledFor, timeZone, ownZone })
  return [when, isManual && 'by Run Now', outcome, mail].filter(Boolean).join(' · ')
}

function countStates(occurrences: readonly ScheduledOccurrence[]): string {
  const counts = new Map<string, number>()
  for (const { state } of occurrences) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}
