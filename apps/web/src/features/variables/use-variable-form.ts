import { type Variable, variable as variableSchema } from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import type { TagInputHandle } from '../../components/tag-input-slot.ts'
import { readDraft } from '../../lib/draft.ts'
import { ApiError, conflictOf, errorReason } from '../../lib/errors.ts'
import { useFormDraft } from '../../lib/form-draft.ts'
import { toast } from '../../lib/toast.ts'
import {
  differencesOf,
  draftOf,
  formOf,
  INVALID_HEADERS,
  requestOf,
  restoreDraft,
  type VariableForm,
  variableDraft,
  variableForm,
} from './variable-form.ts'
import { useCreateVariable, useUpdateVariable } from './variables.queries.ts'

export interface UseVariableFormOptions {
  /** The variable to edit; null creates one. */
  variable: Variable | null
  /** A new variable's name, where it is known. */
  name?: string | undefined
  userId: number
  onClose: () => void
}

/** The dialog's form with its draft, its save and what happens on a conflict. */
export function useVariableForm({ variable, name, userId, onClose }: UseVariableFormOptions) {
  const draftKey = `variable.${userId}.${variable?.id ?? `new.${name ?? ''}`}`
  const [draft] = useState(() => restored({ key: draftKey, variable }))
  const [revision, setRevision] = useState(draft ? draft.revision : (variable?.revision ?? null))
  const [conflict, setConflict] = useState<Variable | null>(null)
  const [rewrites, setRewrites] = useState(true)
  const tagInput = useRef<TagInputHandle>(null)
  const create = useCreateVariable()
  const update = useUpdateVariable()

  const form = useForm<VariableForm>({
    resolver: zodResolver(variableForm) as Resolver<VariableForm>,
    defaultValues: formOf({ variable, name }),
  })
  const { isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as VariableForm
  const kept = useFormDraft({
    key: draftKey,
    form,
    restored: draft?.values,
    kept: { revision, values: draftOf(values) },
  })

  const close = () => {
    kept.discard()
    onClose()
  }
  const save = async ({ values, revision }: { values: VariableForm; revision: number | null }) => {
    const tags = (await tagInput.current?.flush()) ?? values.tags
    const body = requestOf({ ...values, tags })
    if (!variable) return create.mutateAsync(body)
    const isRenamed = renames({ variable, name: body.name })
    return update.mutateAsync({
      id: variable.id,
      body: {
        ...body,
        ...(revision === null ? {} : { revision }),
        ...(isRenamed && rewrites ? { renameReferences: true } : {}),
      },
    })
  }
  const showFailure = (error: unknown) => {
    const stored = conflictOf({ error, schema: variableSchema })
    if (stored) return setConflict(stored)
    const description = errorReason(error)
    if (error instanceof ApiError && error.status === 409)
      form.setError('name', { message: description }, { shouldFocus: true })
    const title = variable ? 'Error updating variable' : 'Error creating variable'
    toast({ title, description, variant: 'destructive' })
  }
  const submitAt = (revision: number | null) =>
    form.handleSubmit(
      async (values) => {
        if (isSubmitting) return
        setConflict(null)
        try {
          await save({ values, revision })
          toast({
            title: variable ? 'Variable updated' : 'Variable created',
            description: `$<${values.name.trim()}> can be used in every prompt.`,
          })
          close()
        } catch (error) {
          showFailure(error)
        }
      },
      (errors) => {
        if (errors.headersJson)
          toast({ title: 'Invalid Headers Format', description: INVALID_HEADERS, variant: 'destructive' })
      },
    )

  const startFrom = (stored: Variable | null) => {
    form.reset(formOf({ variable: stored, name }))
    setRevision(stored?.revision ?? null)
    kept.leave()
    setConflict(null)
  }

  return {
    form,
    values,
    tagInput,
    conflict: conflict && {
      noun: 'variable',
      differences: differencesOf({ mine: values, theirs: conflict }),
      onKeepMine() {
        setRevision(conflict.revision)
        void submitAt(conflict.revision)()
      },
      onTakeTheirs: () => startFrom(conflict),
    },
    close,
    submit: submitAt(revision),
    /** Whether a new name is written into the references too. */
    rewrites,
    setRewrites,
    isRenamed: variable !== null && renames({ variable, name: values.name }),
    draft: { ...kept, onDiscard: () => startFrom(variable) },
  }
}

function restored({ key, variable }: { key: string; variable: Variable | null }) {
  const draft = readDraft({ key, schema: variableDraft })
  return draft && { ...draft, values: restoreDraft({ values: draft.values, variable }) }
}

/** References don't regard case, so neither does a new name. */
function renames({ variable, name }: { variable: Pick<Variable, 'name'>; name: string }): boolean {
  const wanted = name.trim().toLowerCase()
  return wanted !== '' && wanted !== variable.name.toLowerCase()
}
