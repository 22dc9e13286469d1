import type { Chain, ChainStep } from '@catenary/contracts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { toast } from '../../../components/ui/toast.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { useDeleteStep } from '../chains.queries.ts'
import { titleOf } from './step-as-run.ts'

/** Asks before a step goes. */
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
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete “${titleOf(step)}”?`}
      description="Are you sure you want to delete this step? This action cannot be undone."
      pending={isPending}
      onConfirm={() =>
        mutate(
          { chainId: chain.id, stepId: step.id },
          {
            onSuccess: () =>
              toast({
                title: 'Step deleted',
                description: `“${titleOf(step)}” is no longer part of the chain.`,
              }),
            onError: (error) =>
              toast({
                title: 'Failed to delete step',
                description: errorMessage(error),
                variant: 'destructive',
              }),
            onSettled: onClose,
          },
        )
      }
    />
  )
}
