import { type Prompt, prompt as promptSchema } from '@catenary/contracts'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useRestorePrompt } from '../prompts.queries.ts'

export interface UseRestoreVersionOptions {
  promptId: number
  number: number
  /** The prompt has changed, which the form should show. */
  onReplaced: (prompt: Prompt) => void
  /** Someone else saved first. */
  onConflict: (current: Prompt) => void
}

/** Restores that version over the prompt's revision that the person saw, and says how it went. */
export function useRestoreVersion({ promptId, number, onReplaced, onConflict }: UseRestoreVersionOptions) {
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
