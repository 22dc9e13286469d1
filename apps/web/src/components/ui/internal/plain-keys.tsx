import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'

/** Between a trigger and its button: keys held with Ctrl or ⌘ are shortcuts, and open nothing. */
export function PlainKeys({ onKeyDown, ...props }: ComponentProps<typeof Slot.Root>) {
  return <Slot.Root {...props} onKeyDown={(event) => event.ctrlKey || event.metaKey || onKeyDown?.(event)} />
}
