import { DEFAULT_STEP_MODEL, findStepFault, type StepKind, type StepShape } from '@catenary/contracts'
import { fieldError } from '../../errors.ts'
import type { NewStepFields, StepFields, StepRecord } from './chain-rows.sql.ts'

/** A step whose form shows a text that is not its content. */
export const hasOwnText = (step: { kind?: StepKind | undefined } | null | undefined) =>
  step?.kind === 'stop' || step?.kind === 'ask'

const WITHOUT_MODEL = {
  model: null,
  fallbackModel: null,
  moreFallbackModels: null,
  content: '',
  systemPrompt: null,
  messages: null,
  promptId: null,
  temperature: null,
  maxTokens: null,
  effort: null,
  output: null,
  forEach: null,
}

/** What a step of another kind has not. */
const WITHOUT = {
  prompt: { model: DEFAULT_STEP_MODEL, stop: null, ask: null },
  ask: { ...WITHOUT_MODEL, stop: null },
  stop: { ...WITHOUT_MODEL, ask: null },
} satisfies Record<StepKind, Partial<StepFields>>

export function toNewStep({ model, ...fields }: NewStepFields): StepFields {
  return { ...fields, model: model === undefined ? WITHOUT[fields.kind ?? 'prompt'].model : model }
}

/** A step that becomes one of another kind loses what that has not, as far as the change says nothing of it. */
export function withKindOf({
  before,
  fields,
}: {
  before: StepRecord
  fields: Partial<StepFields>
}): Partial<StepFields> {
  const { kind } = fields
  if (kind === undefined || kind === (before.kind ?? 'prompt')) return fields
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { ...WITHOUT[kind], ...Object.fromEntries(given) }
}

export function requireStepShape(step: StepShape): void {
  const fault = findStepFault(step)
  if (fault) throw fieldError(fault.path, fault.message)
}
