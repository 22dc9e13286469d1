import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFieldControl } from './field.tsx'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      dir="auto"
      className={cn(
        'field-ring h-8 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2.5 text-sm text-ellipsis text-text',
        'transition-[border-color,box-shadow] hover:border-text-3 disabled:opacity-60 pointer-coarse:h-11',
        className,
      )}
      {...useFieldControl()}
      {...props}
    />
  )
}
