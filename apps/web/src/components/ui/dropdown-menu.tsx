import { CheckIcon } from 'lucide-react'
import { DropdownMenu as MenuPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFloatingLayer } from './internal/floating-layer.ts'
import { floatingSurface, menuItem, menuLabel } from './internal/menu-styles.ts'
import { PlainKeys } from './internal/plain-keys.tsx'
import { useReturnFocus } from './internal/return-focus.ts'

/** Leaves the page around it alive: what would be hidden from assistive technology could still be reached. */
export function DropdownMenu(props: ComponentProps<typeof MenuPrimitive.Root>) {
  return <MenuPrimitive.Root modal={false} {...props} />
}
export const DropdownMenuRadioGroup = MenuPrimitive.RadioGroup

export function DropdownMenuTrigger({ children, ...props }: ComponentProps<typeof MenuPrimitive.Trigger>) {
  return (
    <MenuPrimitive.Trigger {...props} asChild>
      <PlainKeys>{children}</PlainKeys>
    </MenuPrimitive.Trigger>
  )
}

export function DropdownMenuContent({
  className,
  sideOffset = 4,
  ...props
}: ComponentProps<typeof MenuPrimitive.Content>) {
  const { focus } = useReturnFocus(props)
  return (
    <MenuPrimitive.Portal {...useFloatingLayer()}>
      <MenuPrimitive.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          floatingSurface,
          'max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto p-1',
          className,
        )}
        {...props}
        {...focus}
      />
    </MenuPrimitive.Portal>
  )
}

export function DropdownMenuItem({
  className,
  variant,
  ...props
}: ComponentProps<typeof MenuPrimitive.Item> & { variant?: 'default' | 'destructive' }) {
  return (
    <MenuPrimitive.Item
      className={cn(menuItem, variant === 'destructive' && 'text-danger', className)}
      {...props}
    />
  )
}

export function DropdownMenuCheckboxItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.CheckboxItem>) {
  return (
    <MenuPrimitive.CheckboxItem className={cn(menuItem, 'pr-8', className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="absolute right-2">
        <CheckIcon className="size-4 text-accent-text" />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.CheckboxItem>
  )
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.RadioItem>) {
  return (
    <MenuPrimitive.RadioItem className={cn(menuItem, 'pr-8', className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="absolute right-2">
        <CheckIcon className="size-4 text-accent-text" />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.RadioItem>
  )
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return <MenuPrimitive.Label className={cn(menuLabel, className)} {...props} />
}

export function DropdownMenuSeparator({
  className,
  ...props
}: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn('-mx-1 my-1 h-px bg-line', className)} {...props} />
}
