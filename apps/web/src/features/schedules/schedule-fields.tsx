import {
  FAILURES_BEFORE_PAUSE_MAX,
  SCHEDULE_NAME_MAX,
  TIMES_PREVIEWED,
  USER_INPUT_MAX,
} from '@catenary/contracts'
import { describeSchedule, findCronProblem, nextTimes } from '@catenary/domain/recurrence'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { FormSwitch } from '../../components/forms/form-switch.tsx'
import { TimeZonePicker } from '../../components/forms/time-zone-picker.tsx'
import { useMinute } from '../../components/time/relative-time.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { formatInZones, formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { FillsField } from '../fills/fills-field.tsx'
import { KeptSendsField } from '../fills/kept-sends-field.tsx'
import { ChainLabelChoice } from '../records/versions/version-choice.tsx'
import { RunVisibilityNote } from '../runs/run-visibility-note.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { RecurrenceFields } from './recurrence-fields.tsx'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'
import { minimumTime, ruleOf, type ScheduleInput } from './schedule-form.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const HAVE_A_CLOCK = ['daily', 'weekly', 'monthly']

export function ScheduleFields({ form, values, stored, chainId, chain, mail }: ScheduleFieldsProps) {
  const { control, register, formState } = form
  const { errors } = formState
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={values.isRecurring ? 'First run' : 'Schedule time'}
          error={errors.scheduledTime?.message}
        >
          <Input
            type="datetime-local"
            required
            min={minimumTime(values.timeZone)}
            {...register('scheduledTime')}
          />
        </Field>
        <Field label="Time zone" error={errors.timeZone?.message}>
          <Controller
            control={control}
            name="timeZone"
            render={({ field: { value, onChange } }) => <TimeZonePicker value={value} onChange={onChange} />}
          />
        </Field>
      </div>
      <RecurrenceFields form={form} values={values} />
      <SchedulePreview values={values} />
      <RecipientsField form={form} values={values} stored={stored} mail={mail} />
      <Controller
        control={control}
        name="chainLabel"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <ChainLabelChoice
            value={value}
            releases={chain.releases}
            error={errors.chainLabel?.message}
            onChange={onChange}
            onBlur={onBlur}
            ref={ref}
          />
        )}
      />
      <Controller
        control={control}
        name="fills"
        render={({ field: { value, onChange } }) => (
          <FillsField reach={{ chainIds: [chainId] }} value={value} onChange={onChange} />
        )}
      />
      <Controller
        control={control}
        name="sends"
        render={({ field: { value, onChange } }) => (
          <KeptSendsField chainIds={[chainId]} value={value} onChange={onChange} />
        )}
      />
      {(chain.takesInput || values.input !== '') && (
        <Field
          label="Input"
          hint="Given to each run. It fills in {{input}} and {{input_context}} in the steps."
          error={errors.input?.message}
        >
          <Textarea rows={3} maxLength={USER_INPUT_MAX} className="max-h-60" {...register('input')} />
        </Field>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <Input
            autoComplete="off"
            maxLength={SCHEDULE_NAME_MAX}
            placeholder={chain.name}
            {...register('name')}
          />
        </Field>
        <Field
          label="Pause after consecutive failures"
          hint={values.failuresBeforePause.trim() === '' ? 'It never pauses by itself.' : null}
          error={errors.failuresBeforePause?.message}
        >
          <NumberInput
            isWhole
            maxLength={String(FAILURES_BEFORE_PAUSE_MAX).length}
            placeholder="never"
            {...register('failuresBeforePause')}
          />
        </Field>
      </div>
      <FormSwitch control={control} name="active" label="Active" />
      {chain.runVisibility && <RunVisibilityNote chain={chain.runVisibility} />}
    </>
  )
}

function SchedulePreview({ values }: { values: ScheduleInput }) {
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

interface Due {
  time: Date
  timeZone: string
  ownZone: string
  now: number
}

/** `Mon, Nov 23 · 8:00 AM` by the reader's clock, the schedule's beside it; with its year where that is not this one. */
export function formatDue({ time, timeZone, ownZone, now }: Due): string {
  const yearOf = (moment: Date | number) => formatTime({ time: moment, as: 'day', timeZone }).slice(-4)
  const day = formatTime({
    time,
    as: yearOf(time) === yearOf(now) ? 'weekday' : 'weekdayAndYear',
    timeZone,
  })
  return `${day} · ${formatInZones({ time, as: 'clock', timeZone, ownZone })}`
}

/** `in 5 minutes`, `in 3 hours, 20 minutes`, `in 1 day, 22 hours`, `in 9 days`. */
export function formatTimeUntil(milliseconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(milliseconds / DAY_MS),
    Math.floor((milliseconds % DAY_MS) / HOUR_MS),
    Math.floor((milliseconds % HOUR_MS) / MINUTE_MS),
  ]
  if (days >= 2) return `in ${days.toLocaleString('en')} days`
  const parts =
    days === 1 ? [count(1, 'day'), count(hours, 'hour')] : [count(hours, 'hour'), count(minutes, 'minute')]
  const shown = parts.filter((part) => !part.startsWith('0 '))
  return shown.length === 0 ? 'in less than a minute' : `in ${shown.join(', ')}`
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
