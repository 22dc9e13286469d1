import type { Ref } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { type KnownModel, useModelChoices, useModels } from '../../model-settings/models.ts'

export interface StepModelFieldProps {
  value: string
  error: string | undefined
  onChange: (model: string) => void
  onBlur: () => void
  ref: Ref<HTMLButtonElement>
}

export function StepModelField({ value, error, onChange, onBlur, ref }: StepModelFieldProps) {
  const chosen = useModels().find(({ alias }) => alias === value)
  return (
    <Field label="Model" error={error} hint={hintFor(chosen)}>
      <ChoiceSelect
        choices={useModelChoices(value)}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        trigger={{ ref }}
      />
    </Field>
  )
}

function hintFor(chosen: KnownModel | undefined): string | null {
  if (chosen?.configured) return null
  const reason = chosen ? 'No key is set for this model' : 'This model is not set up here'
  return `${reason}. Runs will fail at this step.`
}
