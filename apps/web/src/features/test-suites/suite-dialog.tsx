import { FormDialog, type FormDialogProps } from '../../components/forms/form-dialog.tsx'
import { errorReason } from '../../lib/errors.ts'

interface SuiteDialogProps extends Omit<FormDialogProps, 'open' | 'onOpenChange' | 'onSubmit'> {
  onSubmit: () => Promise<void>
  onProblem: (reason: string) => void
  onClose: () => void
}

export function SuiteDialog({ onSubmit, onProblem, onClose, ...props }: SuiteDialogProps) {
  return (
    <FormDialog
      {...props}
      open
      onOpenChange={(open) => open || onClose()}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit().catch((error: unknown) => onProblem(errorReason(error)))
      }}
    />
  )
}
