import {
  type ChainStep,
  createStepRequest,
  DEFAULT_STEP_MODEL,
  MAX_TOKENS_MAX,
  modelAlias,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../../components/conflict-panel.tsx'
import { contentOf } from './step-as-run.ts'

const TEMPERATURE = 'Temperature must be a number from 0 to 2'
const MAX_TOKENS = `Token limit must be a whole number from 1 to ${MAX_TOKENS_MAX.toLocaleString('en')}`
const fields = createStepRequest.shape

/** A number field holds text. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

/** What is saved, for a chain whose other steps have those outputs. */
export function stepFormFor(otherNames: readonly string[]) {
  const taken = new Set(otherNames.map((name) => name.toLowerCase()))
  return z.object({
    model: modelAlias,
    outputVariableName: fields.outputVariableName.refine((name) => !taken.has(name.toLowerCase()), {
      error: ({ input }) => `Another step of this chain has the output ${input}`,
    }),
    promptId: fields.promptId.unwrap(),
    title: fields.title.unwrap(),
    content: fields.content.unwrap(),
    position: z
      .string()
      .transform((text) => numberOf(text) ?? 0)
      .pipe(fields.position.unwrap()),
    systemPrompt: z.string().transform((text) => (text.trim() === '' ? null : text)),
    temperature: z
      .string()
      .transform(numberOf)
      .pipe(z.number(TEMPERATURE).min(0, TEMPERATURE).max(2, TEMPERATURE).nullable()),
    maxTokens: z
      .string()
      .transform(numberOf)
      .pipe(z.int(MAX_TOKENS).min(1, MAX_TOKENS).max(MAX_TOKENS_MAX, MAX_TOKENS).nullable()),
  })
}
export type StepForm = z.output<ReturnType<typeof stepFormFor>>

/** While it is being filled in: numbers as they are typed. */
const stepInput = z.object({
  model: modelAlias,
  outputVariableName: z.string(),
  promptId: z.int().nullable(),
  title: z.string(),
  content: z.string(),
  position: z.string(),
  systemPrompt: z.string(),
  temperature: z.string(),
  maxTokens: z.string(),
})
export type StepFormInput = z.infer<typeof stepInput>

/** A draft remembers which revision it began with. */
export const stepDraft = z.object({ revision: z.int(), values: stepInput })

/** What the form shows at first; a new step comes last. */
export function formOf({
  step,
  steps,
}: {
  step: ChainStep | null
  steps: readonly ChainStep[]
}): StepFormInput {
  const last = steps.at(-1)
  return {
    model: step?.model ?? DEFAULT_STEP_MODEL,
    outputVariableName: step?.outputVariableName ?? '',
    promptId: step?.promptId ?? null,
    title: step?.linkedPrompt?.title ?? step?.title ?? '',
    content: step ? contentOf(step) : '',
    position: String(step?.position ?? (last ? last.position + 1 : 0)),
    systemPrompt: step?.systemPrompt ?? '',
    temperature: step?.temperature?.toString() ?? '',
    maxTokens: step?.maxTokens?.toString() ?? '',
  }
}

const LABELS: Record<keyof StepFormInput, string> = {
  model: 'Model',
  outputVariableName: 'Output variable name',
  promptId: 'Prompt',
  title: 'Title',
  content: 'Content',
  position: 'Position',
  systemPrompt: 'System prompt',
  temperature: 'Temperature',
  maxTokens: 'Token limit',
}

/** What the person's form and the stored step do not share. */
export function differencesOf({
  mine,
  theirs,
}: {
  mine: StepFormInput
  theirs: StepFormInput
}): Difference[] {
  return (Object.keys(LABELS) as (keyof StepFormInput)[])
    .filter((field) => mine[field] !== theirs[field])
    .map((field) => ({ label: LABELS[field], mine: textOf(mine[field]), theirs: textOf(theirs[field]) }))
}

function textOf(value: string | number | null): string {
  return value === null ? 'Custom' : String(value)
}
