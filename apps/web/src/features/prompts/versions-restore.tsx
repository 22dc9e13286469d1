import type { Prompt, PromptVersion } from '@catenary/contracts'
import { RotateCcwIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ConflictPanel } from '../../components/conflict-panel.tsx'
import { Button } from '../../components/ui/button.tsx'
import { toast } from '../../components/ui/toast.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useRestorePrompt } from './prompts.queries.ts'
import { currentOf } from './use-save-prompt.ts'

export interface VersionsRestoreProps {
  promptId: number
  version: PromptVersion
  /** The revision of the prompt that the person saw. */
  revision: number
  /** The form has changes that would be lost. */
  losesChanges: boolean
  /** Shows the prompt as it is stored now. */
  onReplaced: (prompt: Prompt) => void
}

/** Asks, then saves the older version's title and content as a new version. */
export function VersionsRestore({
  promptId,
  version,
  revision,
  losesChanges,
  onReplaced,
}: VersionsRestoreProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [conflict, setConflict] = useState<Prompt | null>(null)
  const { mutateAsync, isPending } = useRestorePrompt()
  const name = `version ${version.number}`

  const restore = async (revision: number) => {
    try {
      onReplaced(await mutateAsync({ id: promptId, number: version.number, revision }))
      toast({ title: 'Prompt updated', description: 'Your prompt has been updated successfully' })
    } catch (error) {
      setIsAsking(false)
      const current = currentOf(error)
      if (current) return setConflict(current)
      const description = `Failed to update prompt: ${errorReason(error)}`
      toast({ title: 'Error', description, variant: 'destructive' })
    }
  }
  if (conflict) {
    return (
      <div className="max-h-[60%] w-full overflow-y-auto">
        <ConflictPanel
          noun="prompt"
          mineLabel={`Version ${version.number}`}
          keepLabel={`Restore ${name}`}
          differences={[
            { label: 'Title', mine: version.title, theirs: conflict.title },
            { label: 'Content', mine: version.content, theirs: conflict.content },
          ].filter(({ mine, theirs }) => mine !== theirs)}
          pending={isPending}
          onKeepMine={() => void restore(conflict.revision)}
          onTakeTheirs={() => onReplaced(conflict)}
        />
      </div>
    )
  }
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        <RotateCcwIcon />
        Restore {name}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Restore ${name}?`}
        description={
          losesChanges
            ? 'Its title and content are saved as a new version. What you changed in the form is not saved yet and will be lost.'
            : 'Its title and content are saved as a new version. All versions are kept.'
        }
        confirmLabel={losesChanges ? 'Discard and restore' : 'Restore'}
        variant={losesChanges ? 'danger' : 'primary'}
        pending={isPending}
        onConfirm={() => void restore(revision)}
      />
    </>
  )
}
