import { XIcon } from 'lucide-react'
import { Dialog as DialogPrimitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'
import { Button } from './button.tsx'
import { focusFirstWanted } from './internal/first-focus.ts'
import { FloatingLayer } from './internal/floating-layer.ts'
import { useReturnFocus } from './internal/return-focus.ts'

export const Dialog = DialogPrimitive.Root

export const overlayStyles =
  'fixed inset-0 z-50 bg-scrim data-[state=open]:animate-appear data-[state=closed]:animate-vanish'

const dialogSurface = [
  // Centred without a transform, which would clip what floats above it.
  'fixed inset-0 z-50 m-auto flex h-fit max-h-[calc(100dvh-32px)] w-[calc(100vw-24px)] max-w-[560px] flex-col overflow-hidden',
  'rounded-dialog border border-line bg-surface shadow-float outline-none',
  'data-[state=open]:animate-rise data-[state=closed]:animate-sink',
].join(' ')

/**
 * The dialog's box: header, body and footer in a column, 560 px wide unless a class says otherwise. The focus begins in the
 * field that wants a value, else at `data-first-focus`.
 */
export function DialogContent({
  className,
  children,
  ...props
}: ComponentProps<typeof DialogPrimitive.Content>) {
  const { layer, focus } = useReturnFocus(props)
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayStyles} />
      <DialogPrimitive.Content
        className={cn(dialogSurface, className)}
        {...(hasDescription(props) ? {} : { 'aria-describedby': undefined })}
        onOpenAutoFocus={focusFirstWanted}
        {...props}
        {...focus}
      >
        <FloatingLayer value={layer}>{children}</FloatingLayer>
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  )
}

function hasDescription(props: object): boolean {
  return 'aria-describedby' in props
}

export function DialogHeader({
  className,
  children,
  actions,
  closeDisabled,
  ...props
}: ComponentProps<'div'> & { actions?: ReactNode; closeDisabled?: boolean }) {
  return (
    <div className={cn('flex items-start gap-2 px-5 pt-5 pb-3', className)} {...props}>
      <div className="grid min-w-0 flex-1 gap-1 py-0.5">{children}</div>
      {actions}
      <DialogPrimitive.Close asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Close"
          data-way-out
          disabled={closeDisabled}
          className="-mt-0.5 -mr-1.5 pointer-coarse:-mt-2.5 pointer-coarse:-mr-3"
        >
          <XIcon />
        </Button>
      </DialogPrimitive.Close>
    </div>
  )
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof DialogPrimitive.Title>) {
  return (
    <DialogPrimitive.Title
      dir="auto"
      className={cn('text-lg leading-snug font-semibold', className)}
      {...props}
    />
  )
}

export function DialogDescription({
  className,
  ...props
}: ComponentProps<typeof DialogPrimitive.Description>) {
  return <DialogPrimitive.Description className={cn('text-sm text-text-2', className)} {...props} />
}

export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto px-5 pt-1 pb-5',
        className,
      )}
      {...props}
    />
  )
}

export function DialogFooter({
  className,
  children,
  start,
  ...props
}: ComponentProps<'div'> & { start?: ReactNode }) {
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3',
        className,
      )}
      {...props}
    >
      {start && <div className="mr-auto text-xs text-text-3">{start}</div>}
      <div className="flex min-w-0 flex-wrap justify-end gap-2">{children}</div>
    </div>
  )
}
