import { type Control, Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form'
import { SwitchField, type SwitchFieldProps } from './switch-field.tsx'

export interface FormSwitchProps<Values extends FieldValues, Saved>
  extends Pick<SwitchFieldProps, 'label' | 'hint'> {
  control: Control<Values, unknown, Saved>
  name: FieldPathByValue<Values, boolean>
}

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
