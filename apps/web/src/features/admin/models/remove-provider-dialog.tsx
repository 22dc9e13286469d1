import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { useQueries } from '@tanstack/react-query'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { sentencesOfUse } from './model-texts.ts'
import { modelUseQuery, useRemoveProvider } from './models.queries.ts'

interface RemoveProviderDialogProps {
  provider: ModelProvider
  models: readonly ManagedModel[]
  onClose: () => void
}

export function RemoveProviderDialog({ provider: { id, name }, models, onClose }: RemoveProviderDialogProps) {
  const uses = useQueries({ queries: models.map((model) => modelUseQuery(model.id)) })
  const { mutate, isPending } = useRemoveProvider()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      description={
        <>
          Its address and key are deleted{models.length === 0 ? '.' : ', and its models with it:'}
          {models.map(({ alias }, index) => (
            <span key={alias} className="mt-2 block">
              <strong className="font-mono font-semibold">{alias}</strong> {sentencesOfUse(uses[index])}
            </span>
          ))}
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(
          { id, models },
          {
            onSuccess: () => toast({ title: `${name} was removed` }),
            onError: (error) =>
              toast({
                title: `Failed to remove ${name}`,
                description: errorReason(error),
                variant: 'destructive',
              }),
            onSettled: onClose,
          },
        )
      }
    />
  )
}
