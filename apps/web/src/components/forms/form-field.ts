import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form'

/** A field of a form that holds such a value. */
export interface FormFieldProps<Values extends FieldValues, Saved, Value> {
  control: Control<Values, unknown, Saved>
  name: FieldPathByValue<Values, Value>
}
