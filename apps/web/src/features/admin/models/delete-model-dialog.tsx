import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import type { ModelDialogProps } from './model-dialog.ts'
import { sentencesOfUse } from './model-texts.ts'
import { modelUseQuery, useDeleteModel } from './models.queries.ts'

export function DeleteModelDialog({ model: { id, alias }, onClose }: ModelDialogProps) {
  const use = useQuery(modelUseQuery(id))
  const { mutate, isPending } = useDeleteModel()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${alias}?`}
      description={
        <>
          <span role="status" className="block">
            {sentencesOfUse(use)}
          </span>
          <span className="mt-2 block">
            Prompts and steps that use it fail with a message until you choose another model. Earlier runs
            keep its name and their cost. To keep it for later, switch it off instead.
          </span>
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(id, {
          onSuccess: () => toast({ title: `${alias} was deleted` }),
          onError: (error) =>
            toast({
              title: `Failed to delete ${alias}`,
              description: errorReason(error),
              variant: 'destructive',
            }),
          onSettled: onClose,
        })
      }
    />
  )
}
