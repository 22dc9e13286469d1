import { FormDialog, type FormDialogProps } from '../../components/forms/form-dialog.tsx'
import { errorReason } from '../../lib/errors.ts'

interface SuiteDialogProps extends Omit<FormDialogProps, 'onSubmit'> {
  onSubmit: () => Promise<void>
  onProblem: (reason: string) => void
}

export function SuiteDialog({ onSubmit, onProblem, ...props }: SuiteDialogProps) {
  return (
    <FormDialog
      {...props}
      onSubmit={() => onSubmit().catch((error: unknown) => onProblem(errorReason(error)))}
    />
  )
}
