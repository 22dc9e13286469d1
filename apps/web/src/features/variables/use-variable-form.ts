import { INVALID_HEADERS, type Variable, variable as variableSchema } from '@catenary/contracts'
import { useState } from 'react'
import { useDraftForm } from '../../components/forms/use-draft-form.ts'
import { ApiError, conflictOf, errorReason } from '../../lib/errors.ts'
import { type ToastOptions, toast } from '../../lib/toast.ts'
import { useTagInput } from '../library/tags/use-tag-input.ts'
import {
  differencesOf,
  draftOf,
  formOf,
  requestOf,
  restoreDraft,
  type VariableForm,
  variableForm,
  variableInput,
} from './variable-fields.tsx'
import { type UpdateVariable, useCreateVariable, useUpdateVariable } from './variables.queries.ts'

export interface UseVariableFormOptions {
  variable: Variable | null
  name?: string | undefined
  userId: number
  onClose: () => void
}

export function useVariableForm({ variable, name, userId, onClose }: UseVariableFormOptions) {
  const [rewrites, setRewrites] = useState(true)
  const tagInput = useTagInput()
  const { mutateAsync: create } = useCreateVariable()
  const { mutateAsync: update } = useUpdateVariable()
  const state = useDraftForm<VariableForm, VariableForm, Variable>({
    key: `variable.${userId}.${variable?.id ?? `new.${name ?? ''}`}`,
    noun: 'variable',
    schema: variableForm,
    input: variableInput.transform((values) => restoreDraft({ values, variable })),
    initial: variable,
    formOf: (stored) => formOf({ variable: stored, name }),
    draftOf,
    async save(values, { revision, seen }) {
      const body = { ...requestOf(values), tagIds: await tagInput.idsOf(values.tags) }
      if (variable) {
        const renameReferences = (rewrites && renames({ variable, name: body.name })) || undefined
        const saved = await update({ id: variable.id, body: { ...body, revision, renameReferences } })
        toast({
          title: 'Variable updated',
          description: `$<${body.name}> can be used in every prompt.`,
          ...undoUpdate({ before: seen, saved, restore: (body) => update({ id: variable.id, body }) }),
        })
        return
      }
      await create(body)
      toast({ title: 'Variable created', description: `$<${body.name}> can be used in every prompt.` })
    },
    conflictOf: (error) => conflictOf({ error, schema: variableSchema }),
    differencesOf,
    onFailure(error, form) {
      const description = errorReason(error)
      if (error instanceof ApiError && error.status === 409)
        form.setError('name', { message: description }, { shouldFocus: true })
      const title = variable ? 'Error updating variable' : 'Error creating variable'
      toast({ title, description, variant: 'destructive' })
    },
    onInvalid({ headersJson }) {
      if (headersJson)
        toast({ title: 'Invalid Headers Format', description: INVALID_HEADERS, variant: 'destructive' })
    },
    onClose,
  })
  return {
    ...state,
    tagInput: tagInput.ref,
    rewrites,
    setRewrites,
    isRenamed: variable !== null && renames({ variable, name: state.values.name }),
  }
}

/** References don't regard case, so neither does a new name. */
function renames({ variable, name }: { variable: Pick<Variable, 'name'>; name: string }): boolean {
  const wanted = name.trim().toLowerCase()
  return wanted !== '' && wanted !== variable.name.toLowerCase()
}

/** How the toast of a save brings back what the variable was, where all of that is known here (D54). */
function undoUpdate({
  before,
  saved,
  restore,
}: {
  /** null: the form began with a draft of an earlier one. */
  before: Variable | null
  saved: Variable
  restore: (body: UpdateVariable['body']) => Promise<unknown>
}): Pick<ToastOptions, 'action'> {
  // Values of headers, and a file that was replaced, are not.
  if (before?.type !== 'text' || saved.type !== 'text') return {}
  const isRenamed = before.name.toLowerCase() !== saved.name.toLowerCase()
  // Which references were rewritten is not known.
  if (isRenamed) return {}
  const onPress = async () => {
    try {
      await restore({ ...requestOf(formOf({ variable: before })), revision: saved.revision })
      toast({ title: 'Variable restored', description: `$<${before.name}> is as it was.` })
    } catch (error) {
      const title = 'The variable could not be restored'
      toast({ title, description: errorReason(error), variant: 'destructive' })
    }
  }
  return { action: { label: 'Undo', onPress } }
}
