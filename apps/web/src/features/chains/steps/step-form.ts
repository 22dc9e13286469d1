import { type ChainStep, type Condition, createStepRequest, OUTPUT_NAME_REQUIRED } from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween } from '../../../components/forms/conflict-rows.ts'
import { numberText, typedNumber } from '../../../lib/text/number-of.ts'
import { settingsOf } from '../../model-settings/settings-value.ts'
import { conditionInputOf } from './flow/condition-input.ts'
import { flowInputOf, flowRows } from './flow/flow-form.ts'
import type { KindForm } from './kind-form.ts'
import { EACH_FORM, KIND_FORMS } from './kind-forms.ts'
import { kindOf } from './kinds.tsx'
import { contentOf } from './step-as-run.ts'
import { type StepFormInput, stepInput, storedRows } from './step-input.ts'

const { title, position } = createStepRequest.shape
export const typedPosition = typedNumber.transform((number) => number ?? 0).pipe(position.unwrap())

type SavedForm = ReturnType<(typeof KIND_FORMS)[keyof typeof KIND_FORMS]['form']>
export type StepForm = z.output<SavedForm>

export function stepFormFor(otherNames: readonly string[]) {
  const taken = new Set(otherNames.map((name) => name.toLowerCase()))
  const outputVariableName = createStepRequest.shape.outputVariableName
    .unwrap()
    .min(1, OUTPUT_NAME_REQUIRED)
    .refine((name) => !taken.has(name.toLowerCase()), {
      error: ({ input }) => `Another step of this chain already has the output ${input}`,
    })
  const shared = { title: title.unwrap(), outputVariableName, position: typedPosition }
  const forms = Object.values(KIND_FORMS).map(({ form }) => form(shared))
  return z.discriminatedUnion('kind', forms as [SavedForm, ...SavedForm[]])
}

/** What a new step begins with. */
export interface NextStep {
  position: number
  model?: string | undefined
  onlyIf?: Condition | undefined
}

export function formOf(start: ChainStep | NextStep): StepFormInput {
  const position = numberText(start.position)
  if (!('id' in start)) {
    return stepInput.parse({ position, model: start.model, onlyIf: conditionInputOf(start.onlyIf) })
  }
  return stepInput.parse({
    ...start,
    model: start.model ?? undefined,
    ...settingsOf(start),
    ...flowInputOf(start),
    ...ofEach(({ own }) => own?.inputOf(start)),
    title: start.linkedPrompt?.title ?? start.title,
    content: contentOf(start),
    position,
  })
}

/** What each kind has of something that they have together. */
function ofEach<Part extends object>(partOf: (form: KindForm) => Part | undefined): Part {
  return Object.assign({}, ...EACH_FORM.map(partOf))
}

const rows = {
  ...storedRows,
  kind: { label: 'Kind', show: (values) => kindOf(values).label },
  ...flowRows,
  ...ofEach(({ own }) => own?.rows),
} as ConflictRows<StepFormInput>

export function differencesOf({ mine, theirs }: { mine: StepFormInput; theirs: ChainStep }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf(theirs) })
}

/** The templates that kinds have of their own, each changed. */
export function textsWith(values: StepFormInput, change: (text: string) => string) {
  return ofEach(({ own }) => own?.textsWith(values, change))
}

/** Without what no device keeps. */
export function draftOf(values: StepFormInput): StepFormInput {
  return { ...values, ...ofEach(({ own }) => own?.draftOf?.(values)) }
}

const FLOW = ['onlyIf', 'forEach', 'default', 'ifItFails'] as const

/** Without what of the flow is stored already: a chain that uses none of it is saved as before there was any. */
export function withoutSameFlow(values: StepForm, stored: Partial<ChainStep>): StepForm {
  const keyOf = (step: Partial<Record<(typeof FLOW)[number], unknown>>, name: (typeof FLOW)[number]) =>
    JSON.stringify(step[name] ?? null)
  const same = new Set<string>(FLOW.filter((name) => keyOf(values, name) === keyOf(stored, name)))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !same.has(name))) as StepForm
}
