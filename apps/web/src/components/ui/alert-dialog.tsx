import { AlertDialog as AlertDialogPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { overlayStyles } from './dialog.tsx'
import { useReturnFocus } from './internal/return-focus.ts'

export const AlertDialog = AlertDialogPrimitive.Root
export function AlertDialogCancel(props: ComponentProps<typeof AlertDialogPrimitive.Cancel>) {
  return <AlertDialogPrimitive.Cancel data-way-out {...props} />
}

/** A question that must be answered; wrap a `Button` in `AlertDialogCancel asChild`. */
export function AlertDialogContent({
  className,
  ...props
}: ComponentProps<typeof AlertDialogPrimitive.Content>) {
  const { focus } = useReturnFocus(props)
  return (
    <AlertDialogPrimitive.Portal>
      <AlertDialogPrimitive.Overlay className={overlayStyles} />
      <AlertDialogPrimitive.Content
        className={cn(
          'fixed inset-0 z-50 m-auto grid h-fit w-[calc(100vw-24px)] max-w-[420px] gap-4',
          'rounded-dialog border border-line bg-surface p-5 shadow-float outline-none',
          'data-[state=open]:animate-rise data-[state=closed]:animate-sink',
          className,
        )}
        {...props}
        {...focus}
      />
    </AlertDialogPrimitive.Portal>
  )
}

export function AlertDialogHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('grid gap-1.5', className)} {...props} />
}

export function AlertDialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('flex flex-wrap justify-end gap-2', className)} {...props} />
}

export function AlertDialogTitle({ className, ...props }: ComponentProps<typeof AlertDialogPrimitive.Title>) {
  return <AlertDialogPrimitive.Title className={cn('text-lg font-semibold', className)} {...props} />
}

export function AlertDialogDescription({
  className,
  ...props
}: ComponentProps<typeof AlertDialogPrimitive.Description>) {
  return (
    <AlertDialogPrimitive.Description
      className={cn('text-base text-text-2 wrap-anywhere', className)}
      {...props}
    />
  )
}
