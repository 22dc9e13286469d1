import type { ComponentProps } from 'react'
import { Input } from './input.tsx'

export interface NumberInputProps extends Omit<ComponentProps<'input'>, 'type' | 'inputMode' | 'step'> {
  /** Without decimals. */
  isWhole?: boolean
}

/**
 * A number as it is typed. A browser's own input for numbers leaves out what it doesn't know, such as the comma of `1,5`,
 * without a word; `lib/text/number-of.ts` reads it and asks.
 */
export function NumberInput({ isWhole = false, ...props }: NumberInputProps) {
  return <Input inputMode={isWhole ? 'numeric' : 'decimal'} autoComplete="off" {...props} />
}
