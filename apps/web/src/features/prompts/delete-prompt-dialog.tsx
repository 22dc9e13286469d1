import type { ListedPrompt } from '@catenary/contracts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toast } from '../../lib/toast.ts'
import { DeletionEffects } from '../records/versions/deletion-effects.tsx'
import { useDeletePrompt } from './prompts.queries.ts'

/** Asks before a prompt, its versions and its history go. */
export function DeletePromptDialog({ prompt, onClose }: { prompt: ListedPrompt; onClose: () => void }) {
  const remove = useDeletePrompt()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Delete prompt?"
      description={
        <>
          <span className="block">
            {`“${prompt.title}”, its versions and its execution history will be deleted. This cannot be undone.`}
          </span>
          <DeletionEffects kind="prompt" id={prompt.id} />
        </>
      }
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(prompt.id, {
          onSuccess: () => toast({ title: 'Prompt deleted', description: `“${prompt.title}” was deleted.` }),
          onSettled: onClose,
        })
      }
    />
  )
}
