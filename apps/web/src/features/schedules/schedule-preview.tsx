import { TIMES_PREVIEWED } from '@catenary/contracts'
import { describeSchedule, findCronProblem, nextTimes } from '@catenary/domain/recurrence'
import { useId } from 'react'
import { useMinute } from '../../components/time/relative-time.tsx'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { formatDue, formatTimeUntil } from './format-times.ts'
import { ruleOf, type ScheduleInput } from './schedule-form.ts'

const MINUTE_MS = 60_000
const HAVE_A_CLOCK = ['daily', 'weekly', 'monthly']

/** When the schedule would run as it is typed: in words, and its next times. */
export function SchedulePreview({ values }: { values: ScheduleInput }) {
  const headingId = useId()
  const timeZone = useTimeZone()
  const now = useMinute() * MINUTE_MS
  const { words, times } = previewOf({ values, now })
  return (
    <section aria-labelledby={headingId} className="rounded-card bg-inset px-3.5 py-3">
      <h3 id={headingId} className="sr-only">
        Next runs
      </h3>
      <p role="status" className="text-sm font-semibold wrap-anywhere not-last:mb-1.5">
        {words}
      </p>
      {times.length > 0 && (
        <ol className="grid gap-1 text-sm text-text-2">
          {times.map((time) => (
            <li key={time.getTime()} className="flex flex-wrap justify-between gap-x-4">
              <time dateTime={time.toISOString()}>
                {formatDue({ time, timeZone, ownZone: values.timeZone, now })}
              </time>
              <span className="text-text-3">{formatTimeUntil(time.getTime() - now)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function previewOf({ values, now }: { values: ScheduleInput; now: number }): {
  words: string
  times: Date[]
} {
  const rule = ruleOf(values)
  if (rule === null) return { words: 'Choose a time to see when it runs.', times: [] }
  const kind = rule.isRecurring ? values.recurringType : null
  if (kind === 'cron' && (values.cron.trim() === '' || findCronProblem(values.cron) !== undefined)) {
    return { words: 'Enter a five-field cron expression to see when it runs.', times: [] }
  }
  const times = nextTimes(rule, new Date(now), TIMES_PREVIEWED)
  const clock = formatTime({ time: rule.scheduledTime, as: 'clock', timeZone: rule.timeZone })
  const words = describeSchedule(rule)
  if (times.length === 0) return { words: `${words}: it has no future times.`, times }
  return { words: kind !== null && HAVE_A_CLOCK.includes(kind) ? `${words} at ${clock}` : words, times }
}
