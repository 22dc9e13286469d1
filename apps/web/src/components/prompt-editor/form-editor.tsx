import { Controller, type FieldValues } from 'react-hook-form'
import { FocusTarget } from '../focus-target.tsx'
import type { FormFieldProps } from '../forms/form-field.ts'
import { PromptEditor } from './prompt-editor.tsx'
import type { PromptEditorProps } from './prompt-editor-props.ts'

export interface FormEditorProps<Values extends FieldValues, Saved>
  extends FormFieldProps<Values, Saved, string>,
    Omit<PromptEditorProps, 'value' | 'onChange' | 'onBlur'> {}

/** The editor for a text of a form, which the form can focus. */
export function FormEditor<Values extends FieldValues, Saved>({
  control,
  name,
  ...editor
}: FormEditorProps<Values, Saved>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur } }) => (
        <FocusTarget ref={ref} selector="[role=textbox]">
          <PromptEditor {...editor} value={value} onChange={onChange} onBlur={onBlur} />
        </FocusTarget>
      )}
    />
  )
}
