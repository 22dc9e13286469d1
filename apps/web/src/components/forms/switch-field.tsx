import { type ReactNode, useId } from 'react'
import { Label } from '../ui/label.tsx'
import { Switch } from '../ui/switch.tsx'

export interface SwitchFieldProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: () => void
}

export function SwitchField({ label, hint, checked, onChange, onBlur }: SwitchFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2">
      <Switch
        id={id}
        aria-describedby={hint ? hintId : undefined}
        checked={checked}
        onCheckedChange={onChange}
        onBlur={onBlur}
      />
      <Label htmlFor={id} className="text-sm font-normal text-text">
        {label}
      </Label>
      {hint && (
        <p id={hintId} className="col-start-2 text-xs text-text-3">
          {hint}
        </p>
      )}
    </div>
  )
}
