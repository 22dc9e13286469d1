import { type ListedPromptVersion, type Prompt, prompt as promptSchema } from '@catenary/contracts'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { RestoreConflict, RestoreVersion } from '../../records/versions/restore-version.tsx'
import { useRestorePrompt } from '../prompts.queries.ts'
import { useWholeVersion } from './use-whole-version.ts'

export interface VersionsRestoreProps extends UseRestoreVersionOptions {
  revision: number
  losesChanges: boolean
}

export function VersionsRestore({ revision, losesChanges, ...options }: VersionsRestoreProps) {
  const { restore, isPending } = useRestoreVersion(options)
  return (
    <RestoreVersion
      number={options.number}
      description={
        losesChanges
          ? 'Its title and content are saved as a new version. Unsaved changes in the form will be lost.'
          : 'Its title and content are saved as a new version.'
      }
      confirmLabel={losesChanges ? 'Discard and restore' : 'Restore'}
      variant={losesChanges ? 'danger' : 'primary'}
      pending={isPending}
      onRestore={() => restore(revision)}
    />
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
  return (
    <RestoreConflict
      noun="prompt"
      number={number}
      differences={[
        { label: 'Title', mine: version.title, theirs: current.title },
        { label: 'Content', mine: version.content, theirs: current.content },
      ]}
      pending={isPending}
      onRestore={() => void restore(current.revision)}
      onLeave={() => props.onReplaced(current)}
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
