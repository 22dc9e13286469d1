import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Resolver,
  type SubmitErrorHandler,
  type UseFormReturn,
  useForm,
  useWatch,
} from 'react-hook-form'
import * as z from 'zod'
import { isHandedOver, readDraft, useDraft } from '../../lib/forms/draft.ts'
import type { Difference } from './conflict-panel.tsx'

/** Without a revision, a save overwrites what is stored. */
interface Revised {
  revision?: number
}

export interface DraftFormOptions<Values extends FieldValues, Sent extends FieldValues, Stored> {
  /** Identifies the form, what it edits, and for whom. */
  key: string
  /** What a conflict calls it, such as 'prompt'. */
  noun: string
  /** The fields that may be saved. */
  schema: z.ZodType<Sent, FieldValues>
  /** The same while they are being filled in, as a draft keeps them. */
  input: z.ZodType<Values>
  /** What is stored; null for a new one. */
  initial: Stored | null
  formOf: (stored: Stored | null) => Values
  /** The fields that may be kept on this device; by default all. */
  draftOf?: (values: Values) => Values
  save: (values: Sent, saving: Saving<Stored>) => Promise<void>
  /** What is stored now, as a save that was refused as stale came back with it. */
  conflictOf?: (error: unknown) => Stored | undefined
  differencesOf?: (sides: { mine: Values; theirs: Stored }) => Difference[]
  /** Tells the person about any other failure. */
  onFailure: (error: unknown, form: UseFormReturn<Values, unknown, Sent>) => void
  onInvalid?: SubmitErrorHandler<Values>
  /** Called after a save, and the form stays open; otherwise it closes. */
  onSaved?: (() => void) | undefined
  onClose: () => void
}

/** What a form is saved over. */
interface Base<Stored> {
  /** The revision that the person saw; undefined for a new one. */
  revision: number | undefined
  /** What that revision says; null for a new one, and where a draft was begun with an earlier one than is known. */
  seen: Stored | null
}

interface Saving<Stored> extends Base<Stored> {
  /** For a save in two calls: from here on this is what is stored. */
  onStored: (stored: Stored) => void
}

/** A form whose unsaved values are kept on this device, with its save and what happens when someone else saved first. */
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
  const values = useWatch({ control: form.control }) as Values
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
    // What was typed during the save stays, and is a change again.
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
    /** What is stored, as far as this form knows; null for a new one. */
    stored,
    /** The revision that it would be saved over. */
    revision: base.revision,
    /** Keeps the draft now, for another form to go on with. */
    handOverDraft: handOver,
    /** Gives up what is unsaved. */
    dropDraft: discard,
    /** Drops what the person changed here and goes on from there. */
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

function baseOf<Stored extends Revised>(stored: Stored | null): Base<Stored> {
  return { revision: stored?.revision, seen: stored }
}

/** What was saved or taken here, unless the page has something newer by now. */
function later<Stored extends Revised>(seen: Stored | null, initial: Stored | null): Stored | null {
  return seen && initial && (seen.revision ?? 0) >= (initial.revision ?? 0) ? seen : initial
}
