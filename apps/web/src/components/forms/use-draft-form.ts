import { zodResolver } from '@hookform/resolvers/zod'
import { startTransition, useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Resolver,
  type SubmitErrorHandler,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import * as z from 'zod'
import { isHandedOver, readDraft, useDraft } from '../../lib/forms/draft.ts'
import type { Difference } from './conflict-panel.tsx'

/** Without a revision, a save overwrites what is stored. */
interface Revised {
  revision?: number
}

export interface DraftFormOptions<Values extends FieldValues, Sent extends FieldValues, Stored> {
  key: string
  noun: string
  schema: z.ZodType<Sent, FieldValues>
  input: z.ZodType<Values>
  initial: Stored | null
  formOf: (stored: Stored | null) => Values
  /** The fields that may be kept on this device; by default all. */
  draftOf?: (values: Values) => Values
  save: (values: Sent, saving: Saving<Stored>) => Promise<void>
  conflictOf?: (error: unknown) => Stored | undefined
  differencesOf?: (sides: { mine: Values; theirs: Stored }) => Difference[]
  onFailure: (error: unknown, form: UseFormReturn<Values, unknown, Sent>) => void
  onInvalid?: SubmitErrorHandler<Values>
  onSaved?: (() => void) | undefined
  onClose: () => void
}

interface Base<Stored> {
  revision: number | undefined
  /** What that revision says; null for a new one, and for a draft that began with an earlier revision than is known. */
  seen: Stored | null
}

interface Saving<Stored> extends Base<Stored> {
  onStored: (stored: Stored) => void
}

export function useDraftForm<
  // A field that may be saved but is not in the form is found here.
  Values extends FieldValues & Record<keyof Sent, unknown>,
  Sent extends FieldValues,
  Stored extends Revised,
>({ key, schema, input, initial, formOf, onClose, ...options }: DraftFormOptions<Values, Sent, Stored>) {
  const [draft] = useState(() =>
    readDraft({ key, schema: z.object({ revision: z.int().nullish(), values: input }) }),
  )
  const [isRestored, setIsRestored] = useState(draft !== null && !isHandedOver(key))
  const [base, setBase] = useState<Base<Stored>>(() => {
    const isOfEarlier = draft !== null && draft.revision !== initial?.revision
    return isOfEarlier ? { revision: draft.revision ?? undefined, seen: null } : baseOf(initial)
  })
  const [conflict, setConflict] = useState<Stored | null>(null)

  const form = useForm<Values, unknown, Sent>({
    resolver: zodResolver(schema) as Resolver<Values, unknown, Sent>,
    defaultValues: formOf(initial) as DefaultValues<Values>,
  })
  const { isDirty, isSubmitting } = form.formState
  const values = useFormValues(form)
  const { isKept, handOver, forget, discard } = useDraft({
    key,
    values: { revision: base.revision, values: options.draftOf?.(values) ?? values },
    dirty: isDirty,
  })
  useEffect(() => {
    if (draft) form.reset(draft.values, { keepDefaultValues: true })
  }, [draft, form.reset])

  const close = () => {
    discard()
    onClose()
  }
  const stay = (saved: Values, onSaved: () => void) => {
    forget()
    setIsRestored(false)
    // Edits made during the save stay and mark the form as changed.
    form.reset(saved, { keepValues: true })
    onSaved()
  }
  const submitOver = (base: Base<Stored>) =>
    form.handleSubmit(async (values) => {
      if (isSubmitting) return
      setConflict(null)
      const typed = form.getValues()
      try {
        const onStored = (stored: Stored) => setBase(baseOf(stored))
        await options.save(values, { ...base, onStored })
        if (options.onSaved) stay(typed, options.onSaved)
        else close()
      } catch (error) {
        const theirs = options.conflictOf?.(error)
        if (theirs) setConflict(theirs)
        else options.onFailure(error, form)
      }
    }, options.onInvalid)
  const startFrom = (stored: Stored | null) => {
    form.reset(formOf(stored))
    setBase(baseOf(stored))
    setIsRestored(false)
    setConflict(null)
  }
  const stored = later(base.seen, initial)

  return {
    form,
    values,
    stored,
    revision: base.revision,
    handOverDraft: handOver,
    dropDraft: discard,
    startFrom,
    dialog: {
      pending: isSubmitting,
      dirty: isDirty,
      onSubmit: submitOver(base),
      draft: { isKept, isRestored, onDiscard: () => startFrom(stored) },
      conflict: conflict && {
        noun: options.noun,
        differences: options.differencesOf?.({ mine: values, theirs: conflict }) ?? [],
        onKeepMine() {
          setBase(baseOf(conflict))
          void submitOver(baseOf(conflict))()
        },
        onTakeTheirs: () => startFrom(conflict),
      },
      onClose: close,
    },
  }
}

/** What is filled in, once the field that it was typed into shows it: a whole form takes longer to draw than a key may. */
export function useFormValues<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
): Values {
  const [values, setValues] = useState(() => form.getValues())
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => startTransition(() => setValues(values)),
      }),
    [form.subscribe],
  )
  return values
}

function baseOf<Stored extends Revised>(stored: Stored | null): Base<Stored> {
  return { revision: stored?.revision, seen: stored }
}

/** What was saved or taken here, unless the page has a newer one by now. */
function later<Stored extends Revised>(seen: Stored | null, initial: Stored | null): Stored | null {
  return seen && initial && (seen.revision ?? 0) >= (initial.revision ?? 0) ? seen : initial
}
