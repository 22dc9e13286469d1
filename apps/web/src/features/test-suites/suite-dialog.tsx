import { FormDialog, type FormDialogProps } from '../../components/forms/form-dialog.tsx'
import { errorReason } from '../../lib/errors.ts'

interface SuiteDialogProps extends Omit<FormDialogProps, 'open' | 'onOpenChange' | 'onSubmit'> {
  onSubmit: () => Promise<void>
  /** Called with the reason when `onSubmit` fails. */
  onProblem: (reason: string) => void
  onClose: () => void
}

/** A form dialog that is open as long as it is rendered. */
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
