import { CRON_MAX, DAY_OF_MONTH_MAX, RECURRING_TYPES, type RecurringType } from '@catenary/contracts'
import { Controller } from 'react-hook-form'
import { FormSwitch } from '../../components/forms/form-switch.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { ToggleButton, ToggleButtons } from '../../components/ui/toggle-buttons.tsx'
import { DAYS } from './days.ts'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'

const LABELS: Record<RecurringType, string> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  hourly: 'Hourly',
  cron: 'Cron',
}

export function RecurrenceFields({ form, values }: Pick<ScheduleFieldsProps, 'form' | 'values'>) {
  const { control, register, formState } = form
  const { errors } = formState
  const kind = values.isRecurring ? values.recurringType : null
  return (
    <div className="grid gap-4">
      <div className="flex min-h-8 flex-wrap items-center gap-x-6 gap-y-3">
        <FormSwitch control={control} name="isRecurring" label="Recurring" />
        {kind !== null && (
          <Controller
            control={control}
            name="recurringType"
            render={({ field: { value, onChange } }) => (
              <SegmentedControl
                aria-label="How often"
                value={value}
                onValueChange={onChange}
                className="max-sm:flex max-sm:w-full [&>button]:max-sm:px-1"
              >
                {RECURRING_TYPES.map((type) => (
                  <SegmentedControlItem key={type} value={type}>
                    {LABELS[type]}
                  </SegmentedControlItem>
                ))}
              </SegmentedControl>
            )}
          />
        )}
      </div>
      {kind === 'weekly' && (
        <Controller
          control={control}
          name="recurringDaysOfWeek"
          render={({ field: { value, onChange } }) => <Weekdays value={value} onChange={onChange} />}
        />
      )}
      {kind === 'monthly' && (
        <Field
          label="Day of the month"
          hint="In shorter months it runs on the last day."
          error={errors.recurringDayOfMonth?.message}
        >
          <NumberInput
            isWhole
            maxLength={String(DAY_OF_MONTH_MAX).length}
            placeholder="the first run’s"
            className="max-w-40"
            {...register('recurringDayOfMonth')}
          />
        </Field>
      )}
      {kind === 'cron' && (
        <Field
          label="Cron expression"
          hint={
            <>
              Minute, hour, day of the month, month, weekday: <code>30 8 * * 1-5</code> is 8:30 AM, Monday to
              Friday.
            </>
          }
          error={errors.cron?.message}
        >
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={CRON_MAX}
            placeholder="30 8 * * 1-5"
            className="font-mono text-xs"
            {...register('cron')}
          />
        </Field>
      )}
    </div>
  )
}

/** Any of the seven; with none it is the first run's. */
function Weekdays({ value, onChange }: { value: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <div className="grid gap-1.5">
      <ToggleButtons
        aria-label="Days of the week"
        value={value.map(String)}
        onValueChange={(days) => onChange(days.map(Number).sort())}
        className="max-sm:grid max-sm:grid-cols-7 max-sm:gap-1"
      >
        {DAYS.map((day, index) => (
          <ToggleButton key={day} value={String(index)}>
            <span aria-hidden="true">{day.slice(0, 2)}</span>
            <span className="sr-only">{day}</span>
          </ToggleButton>
        ))}
      </ToggleButtons>
      {value.length === 0 && (
        <p className="text-xs text-text-3">If you choose no day, it uses the weekday of the first run.</p>
      )}
    </div>
  )
}
