import {
  type ChainStep,
  IF_IT_FAILS,
  STEP_DEFAULT_MAX,
  STEP_KINDS,
  STOP_TEXT_MAX,
  type StopRun,
} from '@catenary/contracts'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import type { ConflictRows } from '../../../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { conditionForm, conditionInput, conditionInputOf, showCondition } from './condition-input.ts'
import { loopForm, loopInput, loopInputOf, showLoop } from './loop-input.ts'

const OUTCOMES = ['completed', 'failed'] as const

/** What decides whether and how a step runs, while it is being filled in. */
export const flowInput = {
  kind: z.enum(STEP_KINDS).default('prompt'),
  onlyIf: conditionInput,
  forEach: loopInput,
  default: z.string().default(''),
  ifItFails: z.enum(IF_IT_FAILS).default('stop'),
  outcome: z.enum(OUTCOMES).default('completed'),
  stopText: z.string().default(''),
}
const flow = z.object(flowInput)
export type FlowInput = z.output<typeof flow>

/** Of any form of a step, this part. */
export type FlowForm = UseFormReturn<FlowInput & { title: string }>

/** The types of a form with more fields don't say that it is one. */
export function flowFormOf<Values extends FlowInput & { title: string }, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
): FlowForm {
  return form as unknown as FlowForm
}

type StoredFlow = Partial<Pick<ChainStep, 'kind' | 'onlyIf' | 'forEach' | 'default' | 'ifItFails' | 'stop'>>

export function flowInputOf(stored: StoredFlow): FlowInput {
  const { kind, onlyIf, forEach, default: value, ifItFails, stop } = stored
  const ends = endOf(stop)
  return {
    kind: kind ?? 'prompt',
    onlyIf: conditionInputOf(onlyIf),
    forEach: loopInputOf(forEach),
    default: value ?? '',
    ifItFails: ifItFails ?? 'stop',
    outcome: ends?.outcome ?? 'completed',
    stopText: ends?.text ?? '',
  }
}

/** How a step ends its run; undefined for one that doesn't. */
export function endOf(stop: ChainStep['stop'] | null): StopRun | undefined {
  return stop && 'outcome' in stop ? stop : undefined
}

const tooLong = (max: number) => `At most ${max.toLocaleString('en')} characters`

/** As it may be saved, of a step that asks a model. */
export const promptFlowForm = {
  onlyIf: conditionForm,
  forEach: loopForm,
  default: z
    .string()
    .max(STEP_DEFAULT_MAX, tooLong(STEP_DEFAULT_MAX))
    .transform((text) => (text === '' ? null : text)),
  ifItFails: z.enum(IF_IT_FAILS).transform((what) => (what === 'stop' ? null : what)),
}

/** The same of one that asks people, whose failures nothing goes on from. */
export const askFlowForm = { onlyIf: conditionForm, default: promptFlowForm.default }

/** The same of one that ends the run. */
export const stopFlowForm = {
  onlyIf: conditionForm,
  outcome: z.enum(OUTCOMES),
  stopText: z.string().max(STOP_TEXT_MAX, tooLong(STOP_TEXT_MAX)),
}

/** Whoever reads of a failure wants to know why. */
export function hasReason({ outcome, stopText }: Pick<FlowInput, 'outcome' | 'stopText'>): boolean {
  return outcome !== 'failed' || stopText.trim() !== ''
}

export const KIND_TEXTS = { prompt: 'Prompt', ask: 'Ask', stop: 'Stop' } as const
export const FAILURES = { stop: 'The run fails', go_on: 'The run goes on' } as const
export const OUTCOME_TEXTS = { completed: 'Completed', failed: 'Failed' } as const

export const flowRows = {
  kind: { label: 'Kind', show: ({ kind }) => KIND_TEXTS[kind] },
  onlyIf: { label: 'When it runs', show: ({ onlyIf }) => showCondition(onlyIf) },
  forEach: { label: 'How often it runs', show: ({ forEach }) => showLoop(forEach) },
  default: { label: 'Output when skipped', show: (values) => values.default },
  ifItFails: { label: 'If it fails', show: ({ ifItFails }) => FAILURES[ifItFails] },
  outcome: { label: 'The run ends as', show: ({ outcome }) => OUTCOME_TEXTS[outcome] },
  stopText: { label: 'Text that the run ends with', show: ({ stopText }) => stopText },
} as const satisfies ConflictRows<FlowInput>

interface FlowSides {
  before: StoredFlow
  after: StoredFlow
}

function changesOf({ before, after }: FlowSides, names: readonly (keyof FlowInput)[]): FieldChange[] {
  const [left, right] = [flowInputOf(before), flowInputOf(after)]
  return names
    .map((name) => flowRows[name])
    .map(({ label, show }) => ({ label, before: show(left), after: show(right) }))
    .filter((change) => change.before !== change.after)
}

/** What of two versions of a step differs in a word or a sentence. */
export function flowChanges(sides: FlowSides): FieldChange[] {
  return changesOf(sides, ['kind', 'onlyIf', 'forEach', 'ifItFails', 'outcome'])
}

/** The same of what are texts. */
export function flowTextChanges(sides: FlowSides): FieldChange[] {
  return changesOf(sides, ['default', 'stopText'])
}
