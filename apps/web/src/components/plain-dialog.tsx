import { type ComponentProps, type ReactNode, useId } from 'react'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from './ui/dialog.tsx'

export interface PlainDialogProps extends Omit<ComponentProps<typeof DialogContent>, 'title'> {
  title: ReactNode
  description?: ReactNode
  footer?: ReactNode
  headerActions?: ReactNode
  onClose: () => void
}

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** Keys reach a text that scrolls only where something can be focused: with nothing in it, that is the text itself. */
function scrollsByKeys(body: HTMLDivElement | null) {
  if (body === null) return
  const observer = new ResizeObserver(() => {
    const isCut = body.scrollHeight > body.clientHeight
    if (isCut && body.querySelector(FOCUSABLE) === null) body.tabIndex = 0
    else body.removeAttribute('tabindex')
  })
  observer.observe(body)
  for (const part of body.children) observer.observe(part)
  return () => observer.disconnect()
}

/** A dialog without a form: something to read, to copy or to choose from. */
export function PlainDialog({
  title,
  description,
  footer,
  headerActions,
  onClose,
  children,
  ...content
}: PlainDialogProps) {
  const descriptionId = useId()
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent {...content} {...(description ? { 'aria-describedby': descriptionId } : {})}>
        <DialogHeader actions={headerActions}>
          <DialogTitle dir="auto" className="wrap-anywhere">
            {title}
          </DialogTitle>
          {description && (
            <DialogDescription dir="auto" id={descriptionId} className="wrap-anywhere">
              {description}
            </DialogDescription>
          )}
        </DialogHeader>
        <DialogBody ref={scrollsByKeys}>{children}</DialogBody>
        {footer && <DialogFooter>{footer}</DialogFooter>}
      </DialogContent>
    </Dialog>
  )
}
