import { XIcon } from 'lucide-react'
import { Dialog as SheetPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { Button } from './button.tsx'
import { overlayStyles } from './dialog.tsx'
import { FloatingLayer } from './internal/floating-layer.ts'
import { useReturnFocus } from './internal/return-focus.ts'

export const Sheet = SheetPrimitive.Root

export function SheetContent({
  className,
  children,
  ...props
}: ComponentProps<typeof SheetPrimitive.Content>) {
  const { layer, focus } = useReturnFocus(props)
  return (
    <SheetPrimitive.Portal>
      <SheetPrimitive.Overlay className={overlayStyles} />
      <SheetPrimitive.Content
        aria-describedby={undefined}
        onOpenAutoFocus={focusSelf}
        className={cn(
          'fixed inset-y-0 left-0 z-50 flex w-[288px] max-w-[85vw] flex-col border-r border-line bg-bg shadow-float outline-none',
          'data-[state=open]:animate-slide-in data-[state=closed]:animate-slide-out',
          className,
        )}
        {...props}
        {...focus}
      >
        <FloatingLayer value={layer}>{children}</FloatingLayer>
        <SheetPrimitive.Close asChild>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Close"
            data-way-out
            className="absolute top-2 right-2"
          >
            <XIcon />
          </Button>
        </SheetPrimitive.Close>
      </SheetPrimitive.Content>
    </SheetPrimitive.Portal>
  )
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof SheetPrimitive.Title>) {
  return <SheetPrimitive.Title className={cn('text-lg font-semibold', className)} {...props} />
}

/** The drawer as a whole takes the focus, so no tooltip opens with it. */
function focusSelf(event: Event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
