import { Tooltip as TooltipPrimitive } from 'radix-ui'
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { useFloatingLayer } from './internal/floating-layer.ts'
import { leaveTopDialog } from './leave-top-dialog.ts'

const TOOLTIP_DELAY_MS = 700
const TOOLTIP_SKIP_DELAY_MS = 300

const Tooltip = TooltipPrimitive.Root
const TooltipTrigger = TooltipPrimitive.Trigger

export function TooltipProvider(props: ComponentProps<typeof TooltipPrimitive.Provider>) {
  return (
    <TooltipPrimitive.Provider
      delayDuration={TOOLTIP_DELAY_MS}
      skipDelayDuration={TOOLTIP_SKIP_DELAY_MS}
      {...props}
    />
  )
}

/** A dialog takes the focus back when anything leaves it, so a hint stays outside. */
function useHintLayer() {
  const layer = useFloatingLayer()
  return layer.container?.closest('[role$=dialog]') ? {} : layer
}

function TooltipContent({
  className,
  sideOffset = 6,
  ...props
}: ComponentProps<typeof TooltipPrimitive.Content>) {
  return (
    <TooltipPrimitive.Portal {...useHintLayer()}>
      <TooltipPrimitive.Content
        sideOffset={sideOffset}
        onEscapeKeyDown={leaveTopDialog}
        className={cn(
          'z-60 max-w-80 rounded-[6px] bg-text px-2 py-1 text-xs text-surface wrap-anywhere data-[state=delayed-open]:animate-appear',
          className,
        )}
        {...props}
      />
    </TooltipPrimitive.Portal>
  )
}

export function Hint({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>{children}</TooltipTrigger>
      <TooltipContent>{text}</TooltipContent>
    </Tooltip>
  )
}

/** A hint that a press shows too, as by touch nothing hovers: for what does nothing else. */
export function PressHint({ text, children }: { text: ReactNode; children: ReactElement }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Tooltip open={isOpen} onOpenChange={setIsOpen}>
      <TooltipTrigger
        asChild
        onClick={(event) => {
          // It would be closed by the press otherwise.
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {children}
      </TooltipTrigger>
      <TooltipContent>{text}</TooltipContent>
    </Tooltip>
  )
}
