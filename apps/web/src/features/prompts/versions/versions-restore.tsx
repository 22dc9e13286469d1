import { type ListedPromptVersion, type Prompt, prompt as promptSchema } from '@catenary/contracts'
import { RotateCcwIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ConflictPanel } from '../../../components/forms/conflict-panel.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useRestorePrompt } from '../prompts.queries.ts'
import { useWholeVersion } from './use-whole-version.ts'

export interface VersionsRestoreProps extends UseRestoreVersionOptions {
  revision: number
  losesChanges: boolean
}

export function VersionsRestore({ revision, losesChanges, ...options }: VersionsRestoreProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { number } = options
  const { restore, isPending } = useRestoreVersion(options)
  const confirm = async () => {
    await restore(revision)
    setIsAsking(false)
  }
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setIsAsking(true)}>
        <RotateCcwIcon />
        Restore version {number}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Restore version ${number}?`}
        description={
          losesChanges
            ? 'Its title and content are saved as a new version. Unsaved changes in the form will be lost.'
            : 'Its title and content are saved as a new version.'
        }
        confirmLabel={losesChanges ? 'Discard and restore' : 'Restore'}
        variant={losesChanges ? 'danger' : 'primary'}
        pending={isPending}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

export interface VersionsConflictProps extends Omit<UseRestoreVersionOptions, 'number'> {
  listed: ListedPromptVersion | undefined
  current: Prompt
}

export function VersionsConflict({ listed, current, ...props }: VersionsConflictProps) {
  const { version } = useWholeVersion({ promptId: props.promptId, listed })
  const number = listed?.number ?? 0
  const { restore, isPending } = useRestoreVersion({ number, ...props })
  if (!version) return null
  const differences = [
    { label: 'Title', mine: version.title, theirs: current.title },
    { label: 'Content', mine: version.content, theirs: current.content },
  ]
  return (
    <ConflictPanel
      noun="prompt"
      mineLabel={`Version ${number}`}
      keepLabel={`Restore version ${number}`}
      differences={differences.filter(({ mine, theirs }) => mine !== theirs)}
      pending={isPending}
      onKeepMine={() => void restore(current.revision)}
      onTakeTheirs={() => props.onReplaced(current)}
    />
  )
}

interface UseRestoreVersionOptions {
  promptId: number
  number: number
  onReplaced: (prompt: Prompt) => void
  onConflict: (current: Prompt) => void
}

function useRestoreVersion({ promptId, number, onReplaced, onConflict }: UseRestoreVersionOptions) {
  const { mutateAsync, isPending } = useRestorePrompt()
  const restore = async (revision: number) => {
    try {
      onReplaced(await mutateAsync({ id: promptId, number, revision }))
      toast({ title: 'Prompt updated', description: 'Your prompt has been updated successfully' })
    } catch (error) {
      const current = conflictOf({ error, schema: promptSchema })
      if (current) return onConflict(current)
      const description = `Failed to update prompt: ${errorReason(error)}`
      toast({ title: 'Error', description, variant: 'destructive' })
    }
  }
  return { restore, isPending }
}
