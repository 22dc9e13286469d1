import { CircleAlertIcon, CircleCheckIcon, XIcon } from 'lucide-react'
import { Toast as ToastPrimitive } from 'radix-ui'
import { type ReactNode, useSyncExternalStore } from 'react'
import { dismissToast, TOAST_DURATION_MS, type ToastEntry, toastStore } from '../lib/toast.ts'
import { cn } from '../lib/utils.ts'
import { Button } from './ui/button.tsx'
import { leaveTopDialog } from './ui/leave-top-dialog.ts'

const SWIPE_THRESHOLD_PX = 50
const HOTKEY = ['F8']

export interface ToastViewportProps {
  /** Says what is told in words alone. */
  describe?: (text: string) => ReactNode
}

export default function ToastViewport({ describe = (text) => text }: ToastViewportProps) {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.getSnapshot)
  return (
    <ToastPrimitive.Provider
      // The provider stays paused when the last toast leaves under the pointer, and the next would never close.
      key={toasts[0]?.id}
      duration={TOAST_DURATION_MS}
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {toasts.map((entry) => (
        <ToastCard key={entry.id} entry={entry} describe={describe} />
      ))}
      {/* Above a page’s foot, on phones above the bar of actions. What is around the toasts can be pressed. */}
      <ToastPrimitive.Viewport
        hotkey={HOTKEY}
        className="pointer-events-none fixed right-0 bottom-12 z-70 max-md:bottom-13 flex w-full flex-col gap-2 p-4 outline-none sm:max-w-[376px]"
      />
    </ToastPrimitive.Provider>
  )
}

/** A toast floats above the dialog that it came from; Escape closes the dialog, unless the toast has the focus. */
function leaveToDialog(event: KeyboardEvent): void {
  const isInToast =
    event.target instanceof Element && event.target.closest('li[data-swipe-direction]') !== null
  if (!isInToast) leaveTopDialog(event)
}

function ToastCard({ entry, describe }: Required<ToastViewportProps> & { entry: ToastEntry }) {
  const { description } = entry
  const destructive = entry.variant === 'destructive'
  const Icon = destructive ? CircleAlertIcon : CircleCheckIcon
  return (
    <ToastPrimitive.Root
      open={entry.open}
      onOpenChange={(open) => open || dismissToast(entry.id)}
      duration={entry.duration}
      onEscapeKeyDown={leaveToDialog}
      className={cn(
        'pointer-events-auto flex items-start gap-3 rounded-card border border-line bg-surface p-3.5 shadow-float',
        'data-[state=open]:animate-rise data-[state=closed]:animate-sink',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
        'data-[swipe=end]:translate-x-full',
        destructive && 'border-danger/40',
      )}
    >
      <Icon className={cn('mt-px size-[18px] shrink-0', destructive ? 'text-danger' : 'text-text')} />
      <div
        className="grid min-w-0 flex-1 gap-0.5 wrap-anywhere"
        {...(entry.isSilent && { 'data-radix-toast-announce-exclude': '' })}
      >
        <ToastPrimitive.Title className={cn('text-sm font-semibold', destructive && 'text-danger')}>
          {entry.title}
        </ToastPrimitive.Title>
        {description && (
          <ToastPrimitive.Description className="text-sm text-text-2">
            {typeof description === 'string' ? describe(description) : description}
          </ToastPrimitive.Description>
        )}
        {entry.detail && <p className="text-sm text-text-2">{entry.detail}</p>}
      </div>
      {entry.action && (
        <ToastPrimitive.Action asChild altText={entry.action.label} onClick={entry.action.onPress}>
          <Button variant="secondary" size="sm">
            {entry.action.label}
          </Button>
        </ToastPrimitive.Action>
      )}
      <ToastPrimitive.Close asChild>
        <Button variant="ghost" size="icon-sm" aria-label="Close" className="-m-1.5 pointer-coarse:-m-3">
          <XIcon />
        </Button>
      </ToastPrimitive.Close>
    </ToastPrimitive.Root>
  )
}
