import type { ComponentProps } from 'react'
import { Input } from './input.tsx'

export interface NumberInputProps extends Omit<ComponentProps<'input'>, 'type' | 'inputMode' | 'step'> {
  isWhole?: boolean
}

/** A browser's number input silently drops what it doesn't know, such as `1,5`; `lib/text/number-of.ts` reads and asks. */
export function NumberInput({ isWhole = false, ...props }: NumberInputProps) {
  return <Input inputMode={isWhole ? 'numeric' : 'decimal'} autoComplete="off" {...props} />
}
