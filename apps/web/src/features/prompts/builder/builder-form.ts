import { buildPrompt } from '@catenary/domain'
import * as z from 'zod'

const text = z.string()

export const builderDraft = z.object({
  aiTask: text,
  userPrefs: text,
  standards: text,
  errorHandling: text,
  feedback: text,
})
export type BuilderInput = z.infer<typeof builderDraft>

const builderForm = builderDraft.extend({
  aiTask: text.trim().min(1, 'Please describe what the AI should do'),
})

export const blankBuilder: BuilderInput = {
  aiTask: '',
  userPrefs: '',
  standards: '',
  errorHandling: '',
  feedback: '',
}

export function generate(values: BuilderInput): { text: string } | { problem: string } {
  const { data, error } = builderForm.safeParse(values)
  return data ? { text: buildPrompt(data) } : { problem: error?.issues[0]?.message ?? '' }
}
