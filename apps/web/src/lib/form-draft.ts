import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useDraft } from './draft.ts'

export interface FormDraftOptions<Values extends FieldValues, Sent> {
  /** Names the form, what it edits and who does. */
  key: string
  form: UseFormReturn<Values, unknown, Sent>
  /** The fields of the draft that was there when the form opened: the same object each time. */
  restored: Values | undefined
  /** What is kept from now on. */
  kept: unknown
}

/** Brings a form's draft back, and keeps its unsaved values on this device until `discard`. */
export function useFormDraft<Values extends FieldValues, Sent>({
  key,
  form,
  restored,
  kept,
}: FormDraftOptions<Values, Sent>) {
  const [isRestored, setIsRestored] = useState(restored !== undefined)
  const { isKept, discard } = useDraft({ key, values: kept, dirty: form.formState.isDirty })

  useEffect(() => {
    if (restored) form.reset(restored, { keepDefaultValues: true })
  }, [restored, form.reset])

  return {
    isKept,
    /** The form shows what was not saved the last time. */
    isRestored,
    discard,
    /** The form shows something else from now on. */
    leave: () => setIsRestored(false),
  }
}
