import { CircleAlertIcon } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { ShortcutKeys } from '../shortcut-keys.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../ui/dialog.tsx'
import { DiscardDialog } from './discard-dialog.tsx'

export interface FormDialogProps {
  onClose: () => void
  title: string
  description?: ReactNode
  headerActions?: ReactNode
  onSubmit: (event: FormEvent<HTMLFormElement>) => void | Promise<void>
  submitLabel: string
  alsoSubmit?: { label: string; value: string } | undefined
  pendingLabel?: string
  cancelLabel?: string
  pending?: boolean
  submitDisabled?: boolean
  error?: string | null | undefined
  dirty?: boolean
  footerStart?: ReactNode
  className?: string
  children: ReactNode
}

/** A form in a dialog: Ctrl/⌘ Enter saves wherever in it the focus is, Escape closes, unsaved changes are guarded. */
export function FormDialog({
  onClose,
  title,
  description,
  headerActions,
  onSubmit,
  submitLabel,
  alsoSubmit,
  pendingLabel,
  cancelLabel = 'Cancel',
  pending = false,
  submitDisabled = false,
  error,
  dirty = false,
  footerStart,
  className,
  children,
}: FormDialogProps) {
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const alsoSubmitter = useRef<HTMLButtonElement>(null)
  const formId = useId()
  const descriptionId = useId()
  const requestClose = () => {
    if (pending) return
    if (dirty) setAsksToDiscard(true)
    else onClose()
  }
  useShortcut({
    id: 'submit',
    within: form,
    onPress: () => pending || form.current?.requestSubmit(),
  })
  return (
    <>
      <Dialog open onOpenChange={(open) => open || requestClose()}>
        <DialogContent
          className={className}
          {...(description ? { 'aria-describedby': descriptionId } : {})}
          onInteractOutside={(event) => dirty && event.preventDefault()}
          onOpenAutoFocus={(event) => focusFirstField({ event, form: form.current })}
        >
          <DialogHeader actions={headerActions}>
            <DialogTitle>{title}</DialogTitle>
            {description && <DialogDescription id={descriptionId}>{description}</DialogDescription>}
          </DialogHeader>
          <form
            ref={form}
            id={formId}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              // A dialog opened from inside another form bubbles its submit through React.
              event.stopPropagation()
              void onSubmit(event)
            }}
            className="contents"
          >
            <DialogBody>
              {error && (
                <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
                  {error}
                </Banner>
              )}
              {children}
            </DialogBody>
          </form>
          <DialogFooter start={footerStart}>
            <Button variant="secondary" onClick={requestClose} disabled={pending}>
              {cancelLabel}
            </Button>
            {alsoSubmit && (
              <Button
                variant="secondary"
                disabled={pending || submitDisabled}
                onClick={() => form.current?.requestSubmit(alsoSubmitter.current)}
              >
                {alsoSubmit.label}
              </Button>
            )}
            <Button type="submit" form={formId} pending={pending} disabled={submitDisabled}>
              {pending ? (pendingLabel ?? submitLabel) : submitLabel}
              {!pending && <ShortcutKeys id="submit" />}
            </Button>
            {/* After the other: Enter in a field presses the first that submits. */}
            {alsoSubmit && (
              <button ref={alsoSubmitter} type="submit" form={formId} value={alsoSubmit.value} hidden />
            )}
          </DialogFooter>
        </DialogContent>
      </Dialog>
      <DiscardDialog open={asksToDiscard} onClose={() => setAsksToDiscard(false)} onDiscard={onClose} />
    </>
  )
}

/** The first field instead of the close button; on touch the dialog itself, as a field would bring up the keyboard. */
function focusFirstField({ event, form }: { event: Event; form: HTMLFormElement | null }) {
  const isTouch = globalThis.matchMedia?.('(pointer: coarse)').matches
  // The visible part of a select is a button; the form's own element is hidden beside it.
  const field = form?.querySelector<HTMLElement>(
    ':is(input, textarea, select, [role="combobox"]):not([aria-hidden="true"])',
  )
  const target = isTouch ? event.currentTarget : field
  if (!(target instanceof HTMLElement)) return
  event.preventDefault()
  target.focus()
}
