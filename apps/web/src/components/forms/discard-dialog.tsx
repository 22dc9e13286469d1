import { ConfirmDialog } from '../confirm-dialog.tsx'

export interface DiscardDialogProps {
  open: boolean
  onClose: () => void
  onDiscard: () => void
}

export function DiscardDialog({ open, onClose, onDiscard }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Discard changes?"
      description="You have unsaved changes."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        onClose()
        onDiscard()
      }}
    />
  )
}
