import type { Prompt } from '@catenary/contracts'
import { useEffect } from 'react'
import * as z from 'zod'
import { keepInputs, readInputs } from '../../lib/forms/session-inputs.ts'
import { useSession } from '../../lib/session/session.tsx'
import { formOfPrompt, isEdited, type RunForm } from './run-form.ts'

const inputs = z.object({
  typed: z.record(z.string(), z.string()),
  userInput: z.string(),
  systemPrompt: z.string().optional(),
  /** An edited copy, and of which state of the prompt. */
  copy: z.object({ template: z.string(), revision: z.int() }).optional(),
})

interface KeptOptions {
  prompt: Prompt
  /** A page keeps an edited copy as a draft, beyond the session. */
  keepsCopy: boolean
}

/** The form as it was left in this session, for whoever looked at another page meanwhile. */
export function useKeptForm({ prompt, keepsCopy }: KeptOptions) {
  const { user } = useSession()
  const key = user && `${user.id}.${prompt.id}`
  return {
    begin(): RunForm {
      const form = formOfPrompt(prompt)
      const kept = key === null ? null : readInputs({ key, schema: inputs })
      if (kept === null) return form
      const { typed, userInput, systemPrompt = form.systemPrompt, copy } = kept
      const template = keepsCopy && copy?.revision === prompt.revision ? copy.template : form.template
      return { ...form, typed, userInput, systemPrompt, template }
    },
    key,
  }
}

/** Keeps what is typed, and nothing of what is stored. */
export function useKeeping({
  prompt,
  keepsCopy,
  form,
  key,
}: KeptOptions & { form: RunForm; key: string | null }): void {
  const { typed, userInput, systemPrompt, template } = form
  useEffect(() => {
    if (key === null) return
    const own = formOfPrompt(prompt)
    const hasCopy = keepsCopy && isEdited({ form: { ...own, template }, prompt })
    const isTyped = Object.keys(typed).length > 0 || userInput !== '' || systemPrompt !== own.systemPrompt
    const kept = {
      typed,
      userInput,
      ...(systemPrompt !== own.systemPrompt && { systemPrompt }),
      ...(hasCopy && { copy: { template, revision: prompt.revision } }),
    }
    keepInputs({ key, inputs: isTyped || hasCopy ? kept : null })
  }, [key, prompt, keepsCopy, typed, userInput, systemPrompt, template])
}
