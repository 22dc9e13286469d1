import type { Prompt } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import type { TagInputHandle } from '../../components/tag-input-slot.ts'
import { readDraft } from '../../lib/draft.ts'
import { useFormDraft } from '../../lib/form-draft.ts'
import { formOf, type PromptForm, type PromptFormInput, promptDraft, promptForm } from './prompt-fields.tsx'
import { useSavePrompt } from './use-save-prompt.ts'

export interface UsePromptFormOptions {
  /** The prompt to edit; null creates one. */
  prompt: Prompt | null
  /** A new prompt's title to begin with. */
  title: string
  /** A new prompt's category. */
  categoryId: number | null
  userId: number
  onClose: () => void
}

/** The dialog's form with its draft, its save and what happens on a conflict. */
export function usePromptForm({ prompt, title, categoryId, userId, onClose }: UsePromptFormOptions) {
  const draftKey = `prompt.${userId}.${prompt?.id ?? 'new'}`
  const [draft] = useState(() => readDraft({ key: draftKey, schema: promptDraft }))
  const [revision, setRevision] = useState(draft ? draft.revision : (prompt?.revision ?? null))
  const [stored, setStored] = useState(prompt)
  const tagInput = useRef<TagInputHandle>(null)

  const form = useForm<PromptFormInput, unknown, PromptForm>({
    resolver: zodResolver(promptForm) as Resolver<PromptFormInput, unknown, PromptForm>,
    defaultValues: formOf(prompt ?? { title, categoryId }),
  })
  const { isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as PromptFormInput
  const kept = useFormDraft({ key: draftKey, form, restored: draft?.values, kept: { revision, values } })

  const close = () => {
    kept.discard()
    onClose()
  }
  const { save, conflict, clearConflict } = useSavePrompt({
    prompt,
    onStored: (saved) => {
      setStored(saved)
      setRevision(saved.revision)
    },
    onDone: close,
  })
  const submitAt = (revision: number | null) =>
    form.handleSubmit(async (values) => {
      if (isSubmitting) return
      const tags = (await tagInput.current?.flush()) ?? values.tags
      await save({ values: { ...values, tags }, revision })
    })
  const startFrom = (next: Prompt | null) => {
    form.reset(formOf(next ?? { title, categoryId }))
    setStored(next)
    setRevision(next?.revision ?? null)
    kept.leave()
    clearConflict()
  }

  return {
    form,
    values,
    tagInput,
    conflict,
    revision,
    close,
    submit: submitAt(revision),
    /** The prompt as this dialog knows it to be saved; null for a new one. */
    stored,
    /** Drops what the person changed here and goes on from that prompt. */
    startFrom,
    draft: { ...kept, onDiscard: () => startFrom(stored) },
    async keepMine(theirs: Prompt) {
      setRevision(theirs.revision)
      await submitAt(theirs.revision)()
    },
  }
}
