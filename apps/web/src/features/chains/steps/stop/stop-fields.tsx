import { Controller, useWatch } from 'react-hook-form'
import { FormEditor } from '../../../../components/prompt-editor/form-editor.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import type { KindFieldsProps } from '../kind-form.ts'
import { OUTCOME_TEXTS } from './stop-form.ts'

/** Of a step that ends the run: as what, and with which text. */
export function StopFields({ form, templates }: KindFieldsProps) {
  const { control, register, formState } = form
  const { errors } = formState
  const outcome = useWatch({ control, name: 'outcome' })
  const label = outcome === 'completed' ? 'Output of the run' : 'Error of the run'
  return (
    <>
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" {...register('title')} />
      </Field>
      <div className="grid gap-1.5">
        <span aria-hidden="true" className="text-xs font-medium text-text-2">
          The run ends as
        </span>
        <Controller
          control={control}
          name="outcome"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label="The run ends as"
              value={value}
              onValueChange={onChange}
              className="justify-self-start"
            >
              <SegmentedControlItem value="completed">{OUTCOME_TEXTS.completed}</SegmentedControlItem>
              <SegmentedControlItem value="failed">{OUTCOME_TEXTS.failed}</SegmentedControlItem>
            </SegmentedControl>
          )}
        />
      </div>
      <Field label={label} error={errors.stopText?.message}>
        <FormEditor control={control} name="stopText" label={label} {...templates} />
      </Field>
    </>
  )
}
