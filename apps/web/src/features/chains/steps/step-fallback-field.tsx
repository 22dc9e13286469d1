import type { Ref } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { useModelChoices } from '../../../lib/models.ts'

export const FALLBACK_LABEL = 'Fallback model'
/** A choice of the list needs a value. */
const NONE = 'none'

export interface StepFallbackFieldProps {
  /** The step's own. */
  model: string
  value: string | null
  error: string | undefined
  onChange: (model: string | null) => void
  onBlur: () => void
  ref: Ref<HTMLButtonElement>
}

/** The model that answers when the step's own has failed for good. */
export function StepFallbackField({ model, value, error, onChange, onBlur, ref }: StepFallbackFieldProps) {
  const offered = useModelChoices(value).filter((one) => one.value !== model || value === model)
  return (
    <Field
      label={FALLBACK_LABEL}
      hint={value === model ? 'The same as the model: it is not asked twice.' : 'Answers if the model fails.'}
      error={error}
    >
      <ChoiceSelect
        choices={[{ value: NONE, label: 'None: the run fails' }, ...offered]}
        value={value ?? NONE}
        onChange={(alias) => onChange(alias === NONE ? null : alias)}
        onBlur={onBlur}
        trigger={{ ref }}
      />
    </Field>
  )
}
