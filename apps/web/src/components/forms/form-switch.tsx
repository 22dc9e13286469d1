import { Controller, type FieldValues } from 'react-hook-form'
import type { FormFieldProps } from './form-field.ts'
import { SwitchField, type SwitchFieldProps } from './switch-field.tsx'

export interface FormSwitchProps<Values extends FieldValues, Saved>
  extends FormFieldProps<Values, Saved, boolean>,
    Pick<SwitchFieldProps, 'label' | 'hint'> {}

/** A switch for what a form holds as true or false. */
export function FormSwitch<Values extends FieldValues, Saved>({
  control,
  name,
  ...texts
}: FormSwitchProps<Values, Saved>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur } }) => (
        <SwitchField {...texts} checked={Boolean(value)} onChange={onChange} onBlur={onBlur} />
      )}
    />
  )
}
