import {
  DEFAULT_STEP_MODEL,
  fieldsNotOf,
  findStepFault,
  KIND_OF_STEP,
  type StepKind,
  type StepShape,
} from '@catenary/contracts'
import { findToolFault } from '@catenary/domain'
import { fieldError } from '../../errors.ts'
import type { NewStepFields, StepFields, StepRecord } from './chain-rows.sql.ts'

/** A step whose form shows a text that is not its content. */
export const hasOwnText = (step: { kind?: StepKind | undefined } | null | undefined) =>
  KIND_OF_STEP[step?.kind ?? 'prompt'].own !== undefined

const modelOf = (kind: StepKind = 'prompt') => (KIND_OF_STEP[kind].own ? null : DEFAULT_STEP_MODEL)

export function toNewStep({ model, ...fields }: NewStepFields): StepFields {
  return { ...fields, model: model === undefined ? modelOf(fields.kind) : model }
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
  const lost = fieldsNotOf(kind).map((field) => [field, field === 'content' ? '' : null])
  return { model: modelOf(kind), ...Object.fromEntries(lost), ...Object.fromEntries(given) }
}

/** Which outputs are JSON, the other steps say: a name with fields may be one. */
const ANY_OUTPUT = { outputs: true, jsonOutputs: { has: () => true } }

export function requireStepShape(step: StepShape): void {
  const fault = findStepFault(step) ?? (step.tool ? findToolFault(step.tool, ANY_OUTPUT) : undefined)
  if (fault) throw fieldError(fault.path, fault.message)
}
