import { FAILURES_BEFORE_PAUSE_MAX, SCHEDULE_NAME_MAX, USER_INPUT_MAX } from '@catenary/contracts'
import { Controller } from 'react-hook-form'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { TimeZonePicker } from '../../components/forms/time-zone-picker.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { FillsField } from '../fills/fills-field.tsx'
import { ChainLabelChoice } from '../records/versions/version-choice.tsx'
import { RunVisibilityNote } from '../runs/run-visibility-note.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { RecurrenceFields } from './recurrence-fields.tsx'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'
import { minimumTime } from './schedule-form.ts'
import { SchedulePreview } from './schedule-preview.tsx'

/** The inputs of a schedule: when, to whom, and with what. */
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
      {(chain.takesInput || values.input !== '') && (
        <Field
          label="Input"
          hint="Each run starts with it: it stands for {{input}} and {{input_context}} in the steps."
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
      <Controller
        control={control}
        name="active"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField label="Active" checked={value} onChange={onChange} onBlur={onBlur} />
        )}
      />
      {chain.runVisibility && <RunVisibilityNote chain={chain.runVisibility} />}
    </>
  )
}
