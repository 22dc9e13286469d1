import {
  ASK_CHOICE_ID_MAX,
  ASK_DEADLINE_MINUTES,
  ASK_DEADLINE_MINUTES_MAX,
  ASK_ROLES,
  type AskChoice,
  asksNobody,
  type StepAsk,
  stepAsk,
} from '@catenary/contracts'
import * as z from 'zod'
import type { ConflictRows } from '../../../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { newId } from '../../../../lib/new-id.ts'
import { numberText, readyNumberOf, typedNumber } from '../../../../lib/text/number-of.ts'
import { minutesText, roleText } from '../../../asks/ask-texts.ts'

const BY_ROLE = ['nobody', ...ASK_ROLES] as const
const ENDS = ['goes_on', 'completed', 'failed'] as const
export type ChoiceEnd = (typeof ENDS)[number]

const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const
type DeadlineUnit = keyof typeof UNITS
const UNIT_NAMES = Object.keys(UNITS) as [DeadlineUnit, ...DeadlineUnit[]]

export const END_TEXTS: Record<ChoiceEnd, string> = {
  goes_on: 'The run goes on',
  completed: 'The run ends as completed',
  failed: 'The run ends as failed',
}

const choiceInput = z.object({
  /** What it is known by in the form; a stored one's is its id. */
  key: z.string(),
  /** Empty until it is saved, as it comes from the label. */
  id: z.string(),
  label: z.string(),
  ends: z.enum(ENDS),
})
export type ChoiceInput = z.output<typeof choiceInput>

export const newChoice = (): ChoiceInput => ({ key: newId(), id: '', label: '', ends: 'goes_on' })

const APPROVE: ChoiceInput = { key: 'approve', id: '', label: 'Approve', ends: 'goes_on' }
const REJECT: ChoiceInput = { key: 'reject', id: '', label: 'Reject', ends: 'failed' }

/** What a step asks of whom, while it is being filled in. */
export const askInput = {
  question: z.string().default(''),
  askText: z.string().default(''),
  editable: z.boolean().default(false),
  people: z.array(z.string()).default([]),
  groups: z.array(z.string()).default([]),
  role: z.enum(BY_ROLE).default('nobody'),
  notTheRunner: z.boolean().default(false),
  choices: z.array(choiceInput).default([APPROVE, REJECT]),
  deadline: z.string().default('1'),
  deadlineUnit: z.enum(UNIT_NAMES).default('days'),
  onDeadline: z.string().default(REJECT.key),
}
const ask = z.object(askInput)
export type AskInput = z.output<typeof ask>

export function askInputOf(stored: StepAsk | null | undefined): AskInput {
  if (!stored) return ask.parse({})
  const { text, role, choices, deadlineMinutes, ...same } = stored
  const unit = UNIT_NAMES.findLast((name) => deadlineMinutes % UNITS[name] === 0) ?? 'minutes'
  return {
    ...same,
    askText: text,
    role: role ?? 'nobody',
    choices: choices.map(({ id, label, ends }) => ({ key: id, id, label, ends: ends ?? 'goes_on' })),
    deadline: numberText(deadlineMinutes / UNITS[unit]),
    deadlineUnit: unit,
  }
}

/** Whom it asks, of what is filled in. */
export function askedOf({
  people,
  groups,
  role,
}: Pick<AskInput, 'people' | 'groups' | 'role'>): Pick<StepAsk, 'people' | 'groups' | 'role'> {
  return { people, groups, ...(role !== 'nobody' && { role }) }
}

/** A choice is known by its label's letters; one that is stored keeps its name, which conditions may look at. */
function choicesOf(inputs: readonly ChoiceInput[]): AskChoice[] {
  const taken = new Set(inputs.map(({ id }) => id))
  return inputs.map(({ id, label, ends }) => {
    const own = id || freeId(label, taken)
    taken.add(own)
    return { id: own, label: label.trim(), ...(ends !== 'goes_on' && { ends }) }
  })
}

function freeId(label: string, taken: ReadonlySet<string>): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, ASK_CHOICE_ID_MAX - 3)
  const name = plain || 'choice'
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${name}_${index + 2}`)
  return [name, ...numbered].find((id) => !taken.has(id)) ?? name
}

function minutesOf({ deadline, deadlineUnit }: Pick<AskInput, 'deadline' | 'deadlineUnit'>): number {
  return (readyNumberOf(deadline) ?? Number.NaN) * UNITS[deadlineUnit]
}

const { question, text, choices: storedChoices } = stepAsk.shape

/** As it may be saved. */
export const askForm = {
  question,
  askText: text,
  editable: z.boolean(),
  people: stepAsk.shape.people,
  groups: stepAsk.shape.groups,
  role: ask.shape.role.unwrap(),
  notTheRunner: z.boolean(),
  choices: z
    .array(choiceInput)
    .min(1, 'Add a choice')
    .superRefine((inputs, context) => {
      inputs.forEach(({ label }, index) => {
        const problem = storedChoices.element.shape.label.safeParse(label).error?.issues[0]
        if (problem)
          context.addIssue({ code: 'custom', path: [index, 'label'], message: problem.message, input: label })
      })
    }),
  deadline: z.string().pipe(typedNumber).pipe(z.number('Write how long')),
  deadlineUnit: z.enum(UNIT_NAMES),
  onDeadline: z.string(),
}
const asking = z.object(askForm)

/** What is wrong with several fields together. */
export function checkAsk(
  { deadline, deadlineUnit, choices, onDeadline, ...asked }: z.output<typeof asking>,
  context: z.RefinementCtx,
): void {
  const issue = (path: keyof AskInput, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (asksNobody(askedOf(asked))) issue('people', 'Choose who may answer')
  const minutes = deadline * UNITS[deadlineUnit]
  if (minutes > ASK_DEADLINE_MINUTES_MAX) issue('deadline', 'At most 30 days')
  else if (!(minutes >= 1)) issue('deadline', 'At least a minute')
  else if (!Number.isInteger(minutes)) issue('deadline', 'Write whole minutes')
  if (!choices.some(({ key }) => key === onDeadline)) issue('onDeadline', 'Choose what holds then')
}

export function stepAskOf(values: z.output<typeof asking>): StepAsk {
  const { askText, role, people, groups, choices, deadline, deadlineUnit, onDeadline, ...same } = values
  const stored = choicesOf(choices)
  const chosen = choices.findIndex(({ key }) => key === onDeadline)
  return {
    ...same,
    ...askedOf({ people, groups, role }),
    text: askText,
    choices: stored,
    deadlineMinutes: deadline * UNITS[deadlineUnit],
    onDeadline: stored[chosen]?.id ?? '',
  }
}

/** What is there of it already, for the checks while it is filled in; whatever else the form has stays out. */
export function readyAskOf(values: AskInput): StepAsk {
  const input = ask.parse(values)
  const minutes = minutesOf(input)
  return stepAskOf({ ...input, deadline: (minutes || ASK_DEADLINE_MINUTES) / UNITS[input.deadlineUnit] })
}

const OTHER_NAMES: Record<string, keyof AskInput> = { text: 'askText', deadlineMinutes: 'deadline' }

/** The field of the form for one that the server refuses; another step's as it is. */
export function askFieldOf(path: string): string {
  const [, name] = /^ask\.(\w+)/.exec(path) ?? []
  return name === undefined ? path : (OTHER_NAMES[name] ?? name)
}

const choiceText = ({ label, ends }: ChoiceInput): string =>
  ends === 'goes_on' ? label : `${label} (${END_TEXTS[ends].replace('The run ', '')})`
const labelOf = ({ choices, onDeadline }: AskInput): string =>
  choices.find(({ key }) => key === onDeadline)?.label ?? ''
const yesOrNo = (is: boolean): string => (is ? 'Yes' : 'No')

export const askRows = {
  question: { label: 'Question', show: ({ question }) => question },
  askText: { label: 'Text to decide on', show: ({ askText }) => askText },
  editable: { label: 'Text may be edited', show: ({ editable }) => yesOrNo(editable) },
  people: { label: 'People who may answer', show: ({ people }) => people.join(', ') },
  groups: { label: 'Groups who may answer', show: ({ groups }) => groups.join(', ') },
  role: {
    label: 'Answers by role',
    show: ({ role }) => (role === 'nobody' ? '' : roleText(role)),
  },
  notTheRunner: { label: 'Not the person who runs it', show: ({ notTheRunner }) => yesOrNo(notTheRunner) },
  choices: { label: 'Choices', show: ({ choices }) => choices.map(choiceText).join(', ') },
  deadline: { label: 'Time to answer', show: (input) => minutesText(minutesOf(input)) },
  deadlineUnit: { label: 'Time to answer', show: () => '' },
  onDeadline: { label: 'If nobody answers', show: labelOf },
} as const satisfies ConflictRows<AskInput>

interface AskSides {
  before: { ask?: StepAsk | undefined }
  after: { ask?: StepAsk | undefined }
}

function changesOf({ before, after }: AskSides, names: readonly (keyof AskInput)[]): FieldChange[] {
  const show = ({ ask }: AskSides['before'], name: keyof AskInput) =>
    ask ? askRows[name].show(askInputOf(ask)) : ''
  return names
    .map((name) => ({ label: askRows[name].label, before: show(before, name), after: show(after, name) }))
    .filter((change) => change.before !== change.after)
}

/** What of two versions of a step that asks differs in a word or a sentence. */
export function askChanges(sides: AskSides): FieldChange[] {
  const names = Object.keys(askRows) as (keyof AskInput)[]
  return changesOf(
    sides,
    names.filter((name) => name !== 'askText'),
  )
}

/** The same of its text. */
export function askTextChanges(sides: AskSides): FieldChange[] {
  return changesOf(sides, ['askText'])
}
