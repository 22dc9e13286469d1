import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import type { EntryDialogProps } from './entry-dialog.ts'
import { useDeleteEntry } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS, usesText } from './taxonomy-texts.ts'

export function DeleteEntryDialog({ kind, entry, onClose }: EntryDialogProps) {
  const { mutate, isPending } = useDeleteEntry()
  const { singular } = TAXONOMY_TEXTS[kind]
  const loss =
    kind === 'category'
      ? 'Only a category without prompts can be deleted: merge it into another one to move them.'
      : `It is removed from everything that has it (${usesText(kind, entry.uses)}). Nothing else changes.`
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete “${entry.name}”?`}
      description={`${loss} This can’t be undone.`}
      pending={isPending}
      onConfirm={() =>
        mutate(
          { kind, entry },
          {
            onSuccess: () => toast({ title: `The ${singular} “${entry.name}” was deleted` }),
            onError: (error) =>
              toast({
                title: `Failed to delete the ${singular}`,
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
