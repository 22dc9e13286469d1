import { type Prompt, prompt as promptSchema, type SavePromptRequest } from '@catenary/contracts'
import { useState } from 'react'
import type { Difference } from '../../../components/forms/conflict-panel.tsx'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import type { ExecuteState } from '../use-execute.ts'

export interface SavedCopyOptions {
  state: ExecuteState
  onSave: (body: SavePromptRequest) => Promise<Prompt>
}

export interface SavedCopy {
  number: number
  note: string
  setNote: (note: string) => void
  isPending: boolean
  save: () => void
  conflict: { differences: Difference[]; onKeepMine: () => void; onTakeTheirs: () => void } | null
}

export interface KeptTexts {
  copy: SavedCopy | null
  saveText: ((text: string) => void) | undefined
}

export function useSavedCopy({ state, onSave }: SavedCopyOptions): KeptTexts {
  const { prompt, base, form, isEdited, change, changeView } = state
  const [note, setNote] = useState('')
  const [isPending, setIsPending] = useState(false)
  const [conflict, setConflict] = useState<Prompt | null>(null)

  const saveOver = async ({ title, categoryId, revision }: Prompt, content = form.template) => {
    if (isPending) return
    setIsPending(true)
    try {
      const text = { title, categoryId, content }
      await onSave({ ...text, revision, ...(note.trim() === '' ? {} : { note }) })
      setNote('')
      setConflict(null)
      toast({ title: 'Prompt updated', description: 'Your prompt has been updated successfully' })
    } catch (error) {
      const theirs = conflictOf({ error, schema: promptSchema })
      setConflict(theirs ?? null)
      // The panel stands below the edited copy.
      if (theirs && content === form.template) changeView({ tab: 'prompt' })
      else {
        const description = `Failed to update prompt: ${errorReason(error)}`
        toast({ title: 'Error', description, variant: 'destructive' })
      }
    } finally {
      setIsPending(false)
    }
  }

  // A switch that was flipped meanwhile is a new revision too, but nothing that this would undo.
  const over = base.content === prompt.content ? prompt : base
  const saveText = prompt.canEdit ? (text: string) => void saveOver(over, text) : undefined
  if (!isEdited || !prompt.canEdit || form.template.trim() === '') return { copy: null, saveText }
  const copy = {
    number: prompt.version + 1,
    note,
    setNote,
    isPending,
    save: () => void saveOver(over),
    conflict: conflict && {
      differences: [{ label: 'Content', mine: form.template, theirs: conflict.content }],
      onKeepMine: () => void saveOver(conflict),
      onTakeTheirs: () => {
        change({ template: conflict.content })
        setConflict(null)
      },
    },
  }
  return { copy, saveText }
}
