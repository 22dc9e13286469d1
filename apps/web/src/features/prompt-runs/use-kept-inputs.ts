import type { Prompt } from '@catenary/contracts'
import { useEffect } from 'react'
import * as z from 'zod'
import { keepInputs, readInputs } from '../../lib/forms/session-inputs.ts'
import { useSession } from '../../lib/session/session.tsx'
import { formOfPrompt, type RunForm } from './run-form.ts'

const inputs = z.object({
  typed: z.record(z.string(), z.string()),
  userInput: z.string(),
  systemPrompt: z.string().optional(),
})

interface KeptOptions {
  prompt: Prompt
  keepsInputs: boolean
}

/** The form as it was left in this session, for whoever looked at another page meanwhile. */
export function useKeptForm({ prompt, keepsInputs }: KeptOptions) {
  const { user } = useSession()
  const key = keepsInputs && user ? `${user.id}.${prompt.id}` : null
  return {
    begin(): RunForm {
      const form = formOfPrompt(prompt)
      const kept = key === null ? null : readInputs({ key, schema: inputs })
      if (kept === null) return form
      const { typed, userInput, systemPrompt = form.systemPrompt } = kept
      return { ...form, typed, userInput, systemPrompt }
    },
    key,
  }
}

/** Keeps what is typed, and nothing of what is stored. */
export function useKeeping({
  prompt,
  form,
  key,
}: {
  prompt: Prompt
  form: RunForm
  key: string | null
}): void {
  const { typed, userInput, systemPrompt } = form
  useEffect(() => {
    if (key === null) return
    const isOwnText = systemPrompt === formOfPrompt(prompt).systemPrompt
    const isTyped = Object.keys(typed).length > 0 || userInput !== '' || !isOwnText
    keepInputs({
      key,
      inputs: isTyped ? { typed, userInput, ...(!isOwnText && { systemPrompt }) } : null,
    })
  }, [key, prompt, typed, userInput, systemPrompt])
}
