import { labelConflict } from '@catenary/contracts'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useUndoMove } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

export function useUndo(record: Versioned) {
  const { mutateAsync, isPending, variables } = useUndoMove(record)
  const undo = ({ moveId, label }: { moveId: number; label: string }) => {
    mutateAsync(moveId).then(
      ({ labels }) => {
        const back = labels.find((one) => one.label === label)
        toast({
          title: `${label} is back`,
          description: back ? `It is on version ${back.version} again.` : 'It is no longer on any version.',
        })
      },
      (error: unknown) => {
        const conflict = conflictOf({ error, schema: labelConflict })
        toast({
          title: 'Error',
          description:
            conflict?.code === 'LABEL_MOVED'
              ? `${label} has been moved again: now ${placeOf(conflict.version)}.`
              : `Failed to undo the move: ${errorReason(error)}`,
          variant: 'destructive',
        })
      },
    )
  }
  return { undo, undoing: isPending ? variables : undefined }
}

function placeOf(version: number | null): string {
  return version === null ? 'it isn’t on any version' : `it is on version ${version}`
}
