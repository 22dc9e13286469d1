import { Switch as SwitchPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFieldControl } from './field.tsx'

export function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  return (
    <SwitchPrimitive.Root
      className={cn(
        'relative inline-flex h-[18px] w-[30px] shrink-0 items-center rounded-full bg-line-strong transition-colors',
        'data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:opacity-55',
        'after:absolute after:-inset-x-1 after:-inset-y-[3px] pointer-coarse:after:-inset-x-[7px] pointer-coarse:after:-inset-y-[13px]',
        className,
      )}
      {...useFieldControl()}
      {...props}
    >
      <SwitchPrimitive.Thumb
        className={cn(
          'block size-3.5 translate-x-0.5 rounded-full bg-[oklch(1_0_0)] transition-transform forced-colors:bg-[CanvasText]',
          'data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-on-accent forced-colors:data-[state=checked]:bg-[Highlight]',
        )}
      />
    </SwitchPrimitive.Root>
  )
}
