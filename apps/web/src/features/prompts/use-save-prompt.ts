import { type Prompt, prompt as promptSchema } from '@catenary/contracts'
import { useState } from 'react'
import { conflictOf, errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import type { PromptForm } from './prompt-fields.tsx'
import { useCreatePrompt, useUpdatePrompt } from './prompts.queries.ts'

export interface SavePromptOptions {
  /** The prompt to update; null creates one. */
  prompt: Prompt | null
  /** The fields are stored, its sharing level not yet. */
  onStored: (prompt: Prompt) => void
  onDone: () => void
}

/** Creates or updates from the form's values; a conflict is kept for the person to decide. */
export function useSavePrompt({ prompt, onStored, onDone }: SavePromptOptions) {
  const [conflict, setConflict] = useState<Prompt | null>(null)
  const create = useCreatePrompt()
  const update = useUpdatePrompt()

  const createFrom = async ({ tags, ...fields }: PromptForm) => {
    await create.mutateAsync({ ...fields, tagIds: tags.map(({ id }) => id) })
    toast({ title: 'Prompt created', description: 'Your prompt has been created successfully' })
  }
  const updateFrom = async ({
    id,
    values: { tags, isPublic, ...fields },
    revision,
  }: {
    id: number
    values: PromptForm
    revision: number | null
  }) => {
    const tagIds = tags.map(({ id }) => id)
    const body = { ...fields, tagIds, ...(revision === null ? {} : { revision }) }
    await update.mutateAsync({ id, body, isPublic, onSaved: onStored })
    toast({ title: 'Prompt updated', description: 'Your prompt has been updated successfully' })
  }

  const save = async ({ values, revision }: { values: PromptForm; revision: number | null }) => {
    setConflict(null)
    try {
      if (prompt) await updateFrom({ id: prompt.id, values, revision })
      else await createFrom(values)
      onDone()
    } catch (error) {
      if (!prompt) return
      const current = conflictOf({ error, schema: promptSchema })
      if (current) setConflict(current)
      else {
        const description = `Failed to update prompt: ${errorReason(error)}`
        toast({ title: 'Error', description, variant: 'destructive' })
      }
    }
  }
  return { save, conflict, clearConflict: () => setConflict(null) }
}
