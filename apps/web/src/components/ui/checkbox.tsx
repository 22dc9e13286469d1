import { CheckIcon, MinusIcon } from 'lucide-react'
import { Checkbox as CheckboxPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFieldControl } from './field.tsx'

/** A choice that takes effect with the form. */
export function Checkbox({ className, ...props }: ComponentProps<typeof CheckboxPrimitive.Root>) {
  return (
    <CheckboxPrimitive.Root
      className={cn(
        'group relative inline-flex size-4 shrink-0 items-center justify-center rounded-[4px] border border-line-strong bg-surface text-on-accent',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        'after:absolute after:-inset-1 pointer-coarse:after:-inset-3.5 disabled:opacity-55',
        className,
      )}
      {...useFieldControl()}
      {...props}
    >
      <CheckboxPrimitive.Indicator>
        <CheckIcon className="size-3 group-data-[state=indeterminate]:hidden" strokeWidth={3} />
        <MinusIcon className="hidden size-3 group-data-[state=indeterminate]:block" strokeWidth={3} />
      </CheckboxPrimitive.Indicator>
    </CheckboxPrimitive.Root>
  )
}
