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
        <DialogBody>{children}</DialogBody>
        {footer && <DialogFooter>{footer}</DialogFooter>}
      </DialogContent>
    </Dialog>
  )
}
