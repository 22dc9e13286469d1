import { type Prompt, prompt as promptSchema, type SavePromptRequest } from '@catenary/contracts'
import { useState } from 'react'
import type { Difference } from '../../components/conflict-panel.tsx'
import { conflictOf, errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import type { Execution } from './use-execution.ts'

export interface SavedCopyOptions {
  execution: Execution
  /** Saves the prompt; rejects with what the server said. */
  onSave: (body: SavePromptRequest) => Promise<Prompt>
}

/** The edited copy on its way to be the next version. */
export interface SavedCopy {
  /** Of the version that it would be. */
  number: number
  note: string
  setNote: (note: string) => void
  isPending: boolean
  save: () => void
  /** Someone else saved first. */
  conflict: { differences: Difference[]; onKeepMine: () => void; onTakeTheirs: () => void } | null
}

/** Keeps the edited copy as a version; null while there is nothing to keep, or by someone who may not. */
export function useSavedCopy({ execution, onSave }: SavedCopyOptions): SavedCopy | null {
  const { prompt, base, form, isEdited, change, changeView } = execution
  const [note, setNote] = useState('')
  const [isPending, setIsPending] = useState(false)
  const [conflict, setConflict] = useState<Prompt | null>(null)

  const saveOver = async ({ title, categoryId, revision }: Prompt) => {
    if (isPending) return
    setIsPending(true)
    try {
      const text = { title, categoryId, content: form.template }
      await onSave({ ...text, revision, ...(note.trim() === '' ? {} : { note }) })
      setNote('')
      setConflict(null)
      toast({ title: 'Prompt updated', description: 'Your prompt has been updated successfully' })
    } catch (error) {
      const theirs = conflictOf({ error, schema: promptSchema })
      setConflict(theirs ?? null)
      if (theirs) changeView({ tab: 'prompt' })
      else {
        const description = `Failed to update prompt: ${errorReason(error)}`
        toast({ title: 'Error', description, variant: 'destructive' })
      }
    } finally {
      setIsPending(false)
    }
  }

  if (!isEdited || !prompt.canEdit || form.template.trim() === '') return null
  return {
    number: prompt.version + 1,
    note,
    setNote,
    isPending,
    // A switch that was flipped meanwhile is a new revision too, but nothing that this would undo.
    save: () => void saveOver(base.content === prompt.content ? prompt : base),
    conflict: conflict && {
      differences: [{ label: 'Content', mine: form.template, theirs: conflict.content }],
      onKeepMine: () => void saveOver(conflict),
      onTakeTheirs: () => {
        change({ template: conflict.content })
        setConflict(null)
      },
    },
  }
}
