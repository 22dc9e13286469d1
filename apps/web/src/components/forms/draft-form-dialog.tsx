import { ConflictPanel, type ConflictPanelProps } from './conflict-panel.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'

export interface DraftFormDialogProps extends Omit<FormDialogProps, 'footerStart'> {
  draft: {
    isKept: boolean
    isRestored: boolean
    onDiscard: () => void
  }
  conflict?: Omit<ConflictPanelProps, 'pending'> | null
}

export function DraftFormDialog({ draft, conflict, children, ...props }: DraftFormDialogProps) {
  return (
    <FormDialog
      {...props}
      footerStart={<span role="status">{draft.isKept && 'Draft kept on this device'}</span>}
    >
      {conflict && <ConflictPanel {...conflict} pending={props.pending ?? false} />}
      {draft.isRestored && !conflict && <DraftNotice onDiscard={draft.onDiscard} />}
      {children}
    </FormDialog>
  )
}
