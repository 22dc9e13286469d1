import type { Chain, ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { useDeleteStep } from '../chains.queries.ts'

export function DeleteStepDialog({
  chain,
  step,
  onClose,
}: {
  chain: Chain
  step: ChainStep
  onClose: () => void
}) {
  const { mutate, isPending } = useDeleteStep()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${stepTitle(step)}”?`}
      description="Are you sure you want to delete this step? This action cannot be undone."
      pending={isPending}
      onConfirm={() =>
        mutate(
          { chainId: chain.id, stepId: step.id },
          {
            onSuccess: () =>
              toast({
                title: 'Step deleted',
                description: `“${stepTitle(step)}” is no longer part of the chain.`,
              }),
            onError: toastFailure('Failed to delete step'),
            onSettled: onClose,
          },
        )
      }
    />
  )
}
