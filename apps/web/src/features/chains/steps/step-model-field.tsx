import { MODEL_ALIASES, MODEL_LABELS, type ModelAlias } from '@catenary/contracts'
import type { Ref } from 'react'
import { Field } from '../../../components/ui/field.tsx'
import {
  Select,
  SelectContent,
  SelectItem,
  SelectTrigger,
  SelectValue,
} from '../../../components/ui/select.tsx'
import { useInstance } from '../../../lib/instance.ts'

export interface StepModelFieldProps {
  value: ModelAlias
  error: string | undefined
  onChange: (model: ModelAlias) => void
  onBlur: () => void
  ref: Ref<HTMLButtonElement>
}

/** The step's model, and whether a run could use it. */
export function StepModelField({ value, error, onChange, onBlur, ref }: StepModelFieldProps) {
  const instance = useInstance()
  const hasKey = (alias: ModelAlias) =>
    instance?.models.find((model) => model.alias === alias)?.configured !== false
  return (
    <Field
      label="Model"
      error={error}
      hint={hasKey(value) ? null : 'No key is set for this model: a run would fail at this step.'}
    >
      <Select value={value} onValueChange={onChange} onOpenChange={(open) => open || onBlur()}>
        <SelectTrigger ref={ref}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {MODEL_ALIASES.map((alias) => (
            <SelectItem key={alias} value={alias}>
              {MODEL_LABELS[alias]}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </Field>
  )
}
