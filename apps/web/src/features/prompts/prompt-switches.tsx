import { useId } from 'react'
import { type Control, Controller } from 'react-hook-form'
import { Label } from '../../components/ui/label.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import type { PromptForm, PromptFormInput } from './prompt-form.ts'

/** Whether a prompt may be run, and whether everyone sees it. */
export function PromptSwitches({ control }: { control: Control<PromptFormInput, unknown, PromptForm> }) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      <FormSwitch control={control} name="isActive" label="Active" />
      <FormSwitch control={control} name="isPublic" label="Make Prompt Public" />
    </div>
  )
}

interface FormSwitchProps {
  control: Control<PromptFormInput, unknown, PromptForm>
  name: 'isActive' | 'isPublic'
  label: string
}

function FormSwitch({ control, name, label }: FormSwitchProps) {
  const id = useId()
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur } }) => (
        <div className="flex items-center gap-2">
          <Switch id={id} checked={value} onCheckedChange={onChange} onBlur={onBlur} />
          <Label htmlFor={id} className="text-sm font-normal text-text">
            {label}
          </Label>
        </div>
      )}
    />
  )
}
