import { ConfirmDialog } from '../confirm-dialog.tsx'

export interface DiscardDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onDiscard: () => void
}

export function DiscardDialog({ open, onOpenChange, onDiscard }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Discard changes?"
      description="You have unsaved changes."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        onOpenChange(false)
        onDiscard()
      }}
    />
  )
}
