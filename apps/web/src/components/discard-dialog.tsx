import { ConfirmDialog } from './confirm-dialog.tsx'

export interface DiscardDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onDiscard: () => void
}

/** Asks before unsaved changes are given up. */
export function DiscardDialog({ open, onOpenChange, onDiscard }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Discard changes?"
      description="What you changed here is not saved yet."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        onOpenChange(false)
        onDiscard()
      }}
    />
  )
}
