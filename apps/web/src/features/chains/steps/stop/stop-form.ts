import { type ChainStep, endOf, STOP_TEXT_MAX } from '@catenary/contracts'
import * as z from 'zod'
import type { ConflictRows } from '../../../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { conditionForm } from '../flow/condition-input.ts'
import { changesOf, tooLong } from '../flow/flow-form.ts'

const OUTCOMES = ['completed', 'failed'] as const
export const OUTCOME_TEXTS = { completed: 'Completed', failed: 'Failed' } as const

/** How a step ends its run, while it is being filled in. */
export const stopInput = {
  outcome: z.enum(OUTCOMES).default('completed'),
  stopText: z.string().default(''),
}
const stop = z.object(stopInput)
type StopInput = z.output<typeof stop>

interface StoredStop {
  stop?: ChainStep['stop'] | null
}

export function stopInputOf({ stop: stored }: StoredStop): StopInput {
  const ends = endOf(stored)
  return stop.parse({ outcome: ends?.outcome, stopText: ends?.text })
}

/** As it may be saved. */
export const stopForm = {
  onlyIf: conditionForm,
  outcome: z.enum(OUTCOMES),
  stopText: z.string().max(STOP_TEXT_MAX, tooLong(STOP_TEXT_MAX)),
}

/** Whoever reads of a failure wants to know why. */
export function hasReason({ outcome, stopText }: StopInput): boolean {
  return outcome !== 'failed' || stopText.trim() !== ''
}

export const stopRows = {
  outcome: { label: 'The run ends as', show: ({ outcome }) => OUTCOME_TEXTS[outcome] },
  stopText: { label: 'Text that the run ends with', show: ({ stopText }) => stopText },
} as const satisfies ConflictRows<StopInput>

interface StopSides {
  before: StoredStop
  after: StoredStop
}

const inputsOf = ({ before, after }: StopSides) => ({
  before: stopInputOf(before),
  after: stopInputOf(after),
})

/** What of two versions of a step differs in a word. */
export function stopChanges(sides: StopSides): FieldChange[] {
  return changesOf(inputsOf(sides), [stopRows.outcome])
}

/** The same of its text. */
export function stopTextChanges(sides: StopSides): FieldChange[] {
  return changesOf(inputsOf(sides), [stopRows.stopText])
}
