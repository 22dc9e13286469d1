import type { ComponentProps } from 'react'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './select.tsx'

export interface ChoiceSelectProps<Value extends string> {
  choices: readonly { value: Value; label: string }[]
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: (() => void) | undefined
  placeholder?: string
  disabled?: boolean
  trigger?: ComponentProps<typeof SelectTrigger>
}

export function ChoiceSelect<Value extends string>({
  choices,
  value,
  onChange,
  onBlur,
  placeholder,
  disabled = false,
  trigger,
}: ChoiceSelectProps<Value>) {
  return (
    <Select
      value={value}
      onValueChange={(value) => onChange(value as Value)}
      onOpenChange={(open) => open || onBlur?.()}
      disabled={disabled}
    >
      <SelectTrigger {...trigger}>
        <SelectValue placeholder={placeholder} />
      </SelectTrigger>
      <SelectContent className="max-w-[min(28rem,calc(100vw-24px))]">
        {choices.map(({ value, label }) => (
          <SelectItem key={value} value={value}>
            {label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  )
}
