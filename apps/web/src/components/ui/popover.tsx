import { Popover as PopoverPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFloatingLayer } from './internal/floating-layer.ts'
import { floatingSurface } from './internal/menu-styles.ts'
import { useReturnFocus } from './internal/return-focus.ts'

export const Popover = PopoverPrimitive.Root
export const PopoverTrigger = PopoverPrimitive.Trigger
export const PopoverAnchor = PopoverPrimitive.Anchor

export function PopoverContent({
  className,
  align = 'start',
  sideOffset = 4,
  ...props
}: ComponentProps<typeof PopoverPrimitive.Content>) {
  const { focus } = useReturnFocus(props)
  return (
    <PopoverPrimitive.Portal {...useFloatingLayer()}>
      <PopoverPrimitive.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          floatingSurface,
          'max-h-(--radix-popover-content-available-height) w-72 max-w-(--radix-popover-content-available-width) overflow-y-auto p-3',
          className,
        )}
        {...props}
        {...focus}
      />
    </PopoverPrimitive.Portal>
  )
}
