import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../../components/focus-target.tsx'
import { OutputFields } from '../../model-settings/output/output-fields.tsx'
import type { StepFieldsProps } from './step-fields.tsx'

export function StepOutputField({ form: { control, formState } }: Pick<StepFieldsProps, 'form'>) {
  return (
    <Controller
      control={control}
      name="output"
      render={({ field: { ref, value, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector="[aria-invalid], [data-add-field]">
          <OutputFields
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            error={formState.errors.output?.message}
          />
        </FocusTarget>
      )}
    />
  )
}
