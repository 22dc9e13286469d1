import { type ChainStep, IF_IT_FAILS, STEP_DEFAULT_MAX } from '@catenary/contracts'
import * as z from 'zod'
import type { ConflictRows } from '../../../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { conditionForm, conditionInput, conditionInputOf, showCondition } from './condition-input.ts'
import { loopForm, loopInput, loopInputOf, showLoop } from './loop-input.ts'

/** What decides whether and how a step runs, while it is being filled in. */
export const flowInput = {
  onlyIf: conditionInput,
  forEach: loopInput,
  default: z.string().default(''),
  ifItFails: z.enum(IF_IT_FAILS).default('stop'),
}
const flow = z.object(flowInput)
type FlowInput = z.output<typeof flow>

type StoredFlow = Partial<Pick<ChainStep, 'onlyIf' | 'forEach' | 'default' | 'ifItFails'>>

export function flowInputOf(stored: StoredFlow): FlowInput {
  const { onlyIf, forEach, default: value, ifItFails } = stored
  return {
    onlyIf: conditionInputOf(onlyIf),
    forEach: loopInputOf(forEach),
    default: value ?? '',
    ifItFails: ifItFails ?? 'stop',
  }
}

export const tooLong = (max: number) => `At most ${max.toLocaleString('en')} characters`

/** As it may be saved; of a step that doesn't loop or can't fail, a part of it. */
export const flowForm = {
  onlyIf: conditionForm,
  forEach: loopForm,
  default: z
    .string()
    .max(STEP_DEFAULT_MAX, tooLong(STEP_DEFAULT_MAX))
    .transform((text) => (text === '' ? null : text)),
  ifItFails: z.enum(IF_IT_FAILS).transform((what) => (what === 'stop' ? null : what)),
}

export const FAILURES = { stop: 'The run fails', go_on: 'The run goes on' } as const

export const flowRows = {
  onlyIf: { label: 'When it runs', show: ({ onlyIf }) => showCondition(onlyIf) },
  forEach: { label: 'How often it runs', show: ({ forEach }) => showLoop(forEach) },
  default: { label: 'Output when skipped', show: (values) => values.default },
  ifItFails: { label: 'If it fails', show: ({ ifItFails }) => FAILURES[ifItFails] },
} as const satisfies ConflictRows<FlowInput>

interface Row<Input> {
  label: string
  show: (input: Input) => string
}

/** What rows show differently of two versions of a step. */
export function changesOf<Input>(
  { before, after }: { before: Input; after: Input },
  rows: readonly Row<Input>[],
): FieldChange[] {
  return rows
    .map(({ label, show }) => ({ label, before: show(before), after: show(after) }))
    .filter((change) => change.before !== change.after)
}

interface FlowSides {
  before: StoredFlow
  after: StoredFlow
}

const inputsOf = ({ before, after }: FlowSides) => ({
  before: flowInputOf(before),
  after: flowInputOf(after),
})

/** What of two versions of a step differs in a word or a sentence. */
export function flowChanges(sides: FlowSides): FieldChange[] {
  return changesOf(inputsOf(sides), [flowRows.onlyIf, flowRows.forEach, flowRows.ifItFails])
}

/** The same of what is a text. */
export function flowTextChanges(sides: FlowSides): FieldChange[] {
  return changesOf(inputsOf(sides), [flowRows.default])
}
