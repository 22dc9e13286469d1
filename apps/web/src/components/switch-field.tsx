import { type ReactNode, useId } from 'react'
import { Label } from './ui/label.tsx'
import { Switch } from './ui/switch.tsx'

export interface SwitchFieldProps {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: () => void
}

/** A switch of a form with its label beside it. */
export function SwitchField({ label, checked, onChange, onBlur }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <Switch id={id} checked={checked} onCheckedChange={onChange} onBlur={onBlur} />
      <Label htmlFor={id} className="text-sm font-normal text-text">
        {label}
      </Label>
    </div>
  )
}
