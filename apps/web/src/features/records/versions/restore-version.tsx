import { RotateCcwIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog, type ConfirmDialogProps } from '../../../components/confirm-dialog.tsx'
import { ConflictPanel, type ConflictPanelProps } from '../../../components/forms/conflict-panel.tsx'
import { Button } from '../../../components/ui/button.tsx'

export interface RestoreVersionProps
  extends Pick<ConfirmDialogProps, 'description' | 'confirmLabel' | 'variant' | 'pending'> {
  number: number
  /** The question stays until it has ended. */
  onRestore: () => Promise<void>
}

export function RestoreVersion({ number, onRestore, ...question }: RestoreVersionProps) {
  const [isAsking, setIsAsking] = useState(false)
  const confirm = async () => {
    await onRestore()
    setIsAsking(false)
  }
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setIsAsking(true)}>
        <RotateCcwIcon />
        Restore version {number}
      </Button>
      <ConfirmDialog
        confirmLabel="Restore"
        variant="primary"
        {...question}
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Restore version ${number}?`}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

export interface RestoreConflictProps extends Pick<ConflictPanelProps, 'noun' | 'differences' | 'pending'> {
  number: number
  onRestore: () => void
  onLeave: () => void
}

/** Another's save came between. */
export function RestoreConflict({ number, differences, onRestore, onLeave, ...panel }: RestoreConflictProps) {
  return (
    <ConflictPanel
      {...panel}
      mineLabel={`Version ${number}`}
      keepLabel={`Restore version ${number}`}
      differences={differences.filter(({ mine, theirs }) => mine !== theirs)}
      onKeepMine={onRestore}
      onTakeTheirs={onLeave}
    />
  )
}
