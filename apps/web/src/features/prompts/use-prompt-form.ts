import { type Category, type Prompt, prompt as promptSchema } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDraftForm } from '../../components/forms/use-draft-form.ts'
import { conflictOf, errorReason } from '../../lib/errors.ts'
import { undoSave } from '../../lib/forms/undo-save.ts'
import { toast } from '../../lib/toast.ts'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { undoTags } from '../library/tags/undo-tags.ts'
import { useTagInput } from '../library/tags/use-tag-input.ts'
import { isSameSettings } from '../model-settings/settings-value.ts'
import {
  differencesOf,
  formOf,
  type PromptForm,
  type PromptFormInput,
  promptForm,
  promptInput,
} from './prompt-form.ts'
import { type UpdatePrompt, useCreatePrompt, useRestorePrompt, useUpdatePrompt } from './prompts.queries.ts'

export interface UsePromptFormOptions {
  prompt: Prompt | null
  title: string
  categoryId: number | null
  userId: number
  onSaved?: ((saved: Prompt) => void) | undefined
  onClose: () => void
}

export function usePromptForm({ prompt, title, categoryId, userId, onSaved, onClose }: UsePromptFormOptions) {
  const lastSaved = useRef<Prompt>(null)
  const tagInput = useTagInput()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const usual = categoryId ?? usualCategory({ categories, userId })
  const { mutateAsync: create } = useCreatePrompt()
  const { mutateAsync: update } = useUpdatePrompt()
  const { mutateAsync: restore } = useRestorePrompt()
  const state = useDraftForm<PromptFormInput, PromptForm, Prompt>({
    key: `prompt.${userId}.${prompt?.id ?? 'new'}`,
    noun: 'prompt',
    schema: promptForm,
    input: promptInput,
    initial: prompt,
    formOf: (stored) => formOf(stored ?? { title, categoryId: usual }),
    async save({ tags, isPublic, note, slug, ...fields }, { revision, seen, onStored }) {
      const tagIds = await tagInput.idsOf(tags)
      if (prompt) {
        const before = seen ?? prompt
        const body = {
          ...fields,
          tagIds,
          revision,
          // Where the text stays there is no new version to note it at.
          ...(note !== '' && isOtherText(state.form.getValues(), before) ? { note } : {}),
          ...(slug === '' || slug === before.slug ? {} : { slug }),
        }
        const saved = await update({ id: prompt.id, body, isPublic, onSaved: onStored })
        lastSaved.current = saved
        onStored(saved)
        toast({
          title: 'Prompt updated',
          description: 'Your prompt has been updated successfully',
          ...undoTags({
            before: before.tags,
            after: tagIds,
            restore: (tagIds) => update(withTags(saved, tagIds)),
          }),
          ...undoSave({
            before,
            saved,
            restore: (number) => restore({ id: saved.id, number, revision: saved.revision }),
            // What was typed meanwhile stays; its save shows both.
            onRestored: (stored) => state.form.formState.isDirty || state.startFrom(stored),
          }),
        })
      } else {
        lastSaved.current = await create({ ...fields, tagIds, isPublic })
        rememberCategory({ id: fields.categoryId, userId })
        toast({ title: 'Prompt created', description: 'Your prompt has been created successfully' })
      }
    },
    conflictOf: (error) => conflictOf({ error, schema: promptSchema }),
    differencesOf: (sides) => differencesOf({ ...sides, categories }),
    onFailure(error) {
      // The query client reports failures of a new one.
      if (!prompt) return
      const description = `Failed to update prompt: ${errorReason(error)}`
      toast({ title: 'Error', description, variant: 'destructive' })
    },
    onSaved:
      onSaved &&
      (() => {
        // The next version needs a note of its own.
        state.form.resetField('note', { defaultValue: '' })
        if (lastSaved.current) onSaved(lastSaved.current)
      }),
    onClose,
  })
  const { form, stored, values } = state
  const isWithout = prompt === null && values.categoryId === null
  useEffect(() => {
    // They came after the form.
    if (isWithout && usual !== null) form.resetField('categoryId', { defaultValue: usual })
  }, [isWithout, usual, form.resetField])
  const nextVersion = stored && isOtherText(values, stored) ? stored.version + 1 : null
  return { ...state, nextVersion, tagInput: tagInput.ref }
}

/** Whether a save makes a version (D15). */
function isOtherText(mine: PromptFormInput, stored: Prompt): boolean {
  const { output = { type: 'text' } } = stored
  return (
    mine.title.trim() !== stored.title ||
    mine.content !== stored.content ||
    !isSameSettings(mine, stored) ||
    JSON.stringify(mine.output) !== JSON.stringify(output)
  )
}

function withTags(
  { id, title, content, categoryId, revision, isPublic }: Prompt,
  tagIds: number[],
): UpdatePrompt {
  const body = { title, content, categoryId, tagIds, revision }
  return { id, body, isPublic, onSaved: () => undefined }
}

const keyOf = (userId: number) => `catenary.category.${userId}`

/** The category that this person used last on this device, else the first. */
function usualCategory({ categories, userId }: { categories: readonly Category[]; userId: number }) {
  const [first] = categories
  let last: string | null = null
  try {
    last = localStorage.getItem(keyOf(userId))
  } catch {}
  return (categories.find(({ id }) => String(id) === last) ?? first)?.id ?? null
}

function rememberCategory({ id, userId }: { id: number; userId: number }): void {
  try {
    localStorage.setItem(keyOf(userId), String(id))
  } catch {}
}
