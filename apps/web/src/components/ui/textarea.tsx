import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFieldControl } from './field.tsx'

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      className={cn(
        'field-ring field-sizing-content min-h-16 w-full resize-y rounded-control border border-line-strong bg-surface',
        'px-2.5 py-1.5 text-sm text-text transition-[border-color,box-shadow] hover:border-text-3',
        'disabled:opacity-60',
        className,
      )}
      {...useFieldControl()}
      {...props}
    />
  )
}
