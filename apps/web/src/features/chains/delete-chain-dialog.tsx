import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import { DeletionEffects } from '../records/versions/deletion-effects.tsx'
import { useDeleteChain } from './chains.queries.ts'

export interface DeleteChainDialogProps {
  chain: { id: number; name: string }
  failure?: string
  onDeleted?: () => void
  onClose: () => void
}

export function DeleteChainDialog({
  chain,
  failure = 'Failed to delete chain',
  onDeleted,
  onClose,
}: DeleteChainDialogProps) {
  const { mutate, isPending } = useDeleteChain()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${chain.name}”?`}
      description={
        <>
          <span className="block">
            Are you sure you want to delete this chain? This action cannot be undone.
          </span>
          <DeletionEffects kind="chain" id={chain.id} />
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(chain.id, {
          onSuccess: () => {
            toast({ title: 'Chain deleted', description: 'The chain has been deleted successfully.' })
            onDeleted?.()
          },
          onError: toastFailure(failure),
          onSettled: onClose,
        })
      }
    />
  )
}
