import type { LabelDependants } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useUndo } from './use-undo-move.ts'
import { dependantsQuery, useRemoveLabel } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

export interface RemoveLabelDialogProps {
  record: Versioned
  label: string
  version: number
  onClose: () => void
}

export function RemoveLabelDialog({ record, label, version, onClose }: RemoveLabelDialogProps) {
  const remove = useRemoveLabel(record)
  const { undo } = useUndo(record)
  const { data: dependants } = useQuery(dependantsQuery({ record, label }))
  const asking = dependants ? countOf(dependants) : 0
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${label} from version ${version}?`}
      description={
        asking > 0
          ? `${label} is used by ${asking === 1 ? 'one step, schedule or token' : `${asking} steps, schedules or tokens`}. Point ${asking === 1 ? 'it' : 'them'} to another label first.`
          : `Anything that requests ${label} will find no version. The history is kept, and you can undo this.`
      }
      confirmLabel="Remove"
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { label, version },
          {
            onSuccess: ({ moveId }) =>
              toast({
                title: `${label} removed`,
                description: `Version ${version} itself stays as it is.`,
                ...(moveId === null
                  ? {}
                  : { action: { label: 'Undo', onPress: () => undo({ moveId, label }) } }),
              }),
            onError: (error) =>
              toast({
                title: 'Error',
                description: `Failed to remove ${label}: ${errorReason(error)}`,
                variant: 'destructive',
              }),
            onSettled: onClose,
          },
        )
      }
    />
  )
}

function countOf({ chains, schedules, tokens, hidden }: LabelDependants): number {
  return chains.length + schedules.length + tokens.length + hidden
}
