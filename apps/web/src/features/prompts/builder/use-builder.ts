import { useState } from 'react'
import { readDraft, useDraft } from '../../../lib/forms/draft.ts'
import { type BuilderInput, blankBuilder, builderDraft } from './builder-form.ts'

/** What is filled in in the Advanced builder: kept when it is cancelled, until the prompt's dialog closes. */
export function useBuilder({ userId, promptId }: { userId: number; promptId: number | null }) {
  const key = `prompt-builder.${userId}.${promptId ?? 'new'}`
  const [isOpen, setOpen] = useState(false)
  const [values, setValues] = useState<BuilderInput>(
    () => readDraft({ key, schema: builderDraft }) ?? blankBuilder,
  )
  const isFilledIn = Object.values(values).some((text) => text.trim() !== '')
  const { isKept, discard } = useDraft({ key, values, dirty: isFilledIn })
  return { isOpen, setOpen, values, setValues, isFilledIn, isKept, discard }
}
