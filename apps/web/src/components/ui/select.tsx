import { CheckIcon, ChevronDownIcon } from 'lucide-react'
import { Select as SelectPrimitive } from 'radix-ui'
import { type ComponentProps, useState } from 'react'
import { isEnter } from '../../lib/keyboard/pressed.ts'
import { cn, cspNonce } from '../../lib/utils.ts'
import { useFieldControl } from './field.tsx'
import { useFloatingLayer } from './internal/floating-layer.ts'
import { floatingSurface, menuItem } from './internal/menu-styles.ts'
import { PlainKeys } from './internal/plain-keys.tsx'
import { useReturnFocus } from './internal/return-focus.ts'

/** While its list is open, the page behind it is covered: hidden from assistive technology, it can't be pressed either. */
export function Select({ onOpenChange, ...props }: ComponentProps<typeof SelectPrimitive.Root>) {
  const [isOpen, setIsOpen] = useState(false)
  const change = (next: boolean) => {
    setIsOpen(next)
    onOpenChange?.(next)
  }
  return (
    <>
      <SelectPrimitive.Root onOpenChange={change} {...props} />
      {isOpen && <div className="pointer-events-auto fixed inset-0" />}
    </>
  )
}
export const SelectValue = SelectPrimitive.Value

export function SelectTrigger({
  className,
  children,
  ...props
}: ComponentProps<typeof SelectPrimitive.Trigger>) {
  return (
    <SelectPrimitive.Trigger
      className={cn(
        'field-ring flex h-8 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-sm',
        'hover:border-text-3 data-[placeholder]:text-text-3 disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:text-lg',
        '[&>span]:truncate',
        className,
      )}
      {...useFieldControl()}
      {...props}
      asChild
    >
      <PlainKeys>
        <button type="button">
          {children}
          <SelectPrimitive.Icon asChild>
            <ChevronDownIcon className="size-4 shrink-0 text-text-3" />
          </SelectPrimitive.Icon>
        </button>
      </PlainKeys>
    </SelectPrimitive.Trigger>
  )
}

export function SelectContent({
  className,
  children,
  ...props
}: ComponentProps<typeof SelectPrimitive.Content>) {
  const { focus } = useReturnFocus(props)
  return (
    <SelectPrimitive.Portal {...useFloatingLayer()}>
      <SelectPrimitive.Content
        position="popper"
        sideOffset={4}
        className={cn(
          floatingSurface,
          'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden',
          className,
        )}
        {...props}
        {...focus}
        // The trigger has the focus back before Enter is over, and would be pressed by it.
        onKeyDown={(event) => isEnter(event) && event.preventDefault()}
      >
        <SelectPrimitive.Viewport className="p-1" nonce={cspNonce()}>
          {children}
        </SelectPrimitive.Viewport>
      </SelectPrimitive.Content>
    </SelectPrimitive.Portal>
  )
}

export function SelectItem({ className, children, ...props }: ComponentProps<typeof SelectPrimitive.Item>) {
  return (
    <SelectPrimitive.Item className={cn(menuItem, 'pr-8', className)} {...props}>
      <SelectPrimitive.ItemText>{children}</SelectPrimitive.ItemText>
      <SelectPrimitive.ItemIndicator className="absolute right-2">
        <CheckIcon className="size-4 text-accent-text" />
      </SelectPrimitive.ItemIndicator>
    </SelectPrimitive.Item>
  )
}
