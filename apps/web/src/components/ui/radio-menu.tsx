import type { ReactNode } from 'react'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from './dropdown-menu.tsx'

export interface RadioMenuProps<Value extends string> {
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  align: 'start' | 'end'
  /** The button that opens it. */
  children: ReactNode
}

export function RadioMenu<Value extends string>({
  value,
  choices,
  onChange,
  align,
  children,
}: RadioMenuProps<Value>) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align={align}>
        <DropdownMenuRadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
          {choices.map(({ value, label }) => (
            <DropdownMenuRadioItem key={value} value={value}>
              {label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
