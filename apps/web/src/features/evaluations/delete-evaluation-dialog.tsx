import type { Evaluation } from '@catenary/contracts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { useDeleteEvaluation } from './evaluations.queries.ts'

interface DeleteEvaluationDialogProps {
  evaluation: Evaluation
  onClose: () => void
  onDeleted: () => void
}

/** Asks before an evaluation goes with all of its runs. */
export function DeleteEvaluationDialog({
  evaluation: { id },
  onClose,
  onDeleted,
}: DeleteEvaluationDialogProps) {
  const { mutate, isPending } = useDeleteEvaluation()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete evaluation #${id}?`}
      description="Its results and their runs are deleted, and its link stops working. A protected label that counts on them asks for a new evaluation. This action cannot be undone."
      pending={isPending}
      onConfirm={() =>
        mutate(id, {
          onSuccess: () => {
            toast({ title: 'Evaluation deleted' })
            onDeleted()
          },
          onError: (error) => {
            toast({ title: 'Failed to delete', description: errorMessage(error), variant: 'destructive' })
            onClose()
          },
        })
      }
    />
  )
}
