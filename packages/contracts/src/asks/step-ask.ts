import * as z from 'zod'
import { nameText } from '../names.ts'

export const ASK_QUESTION_MAX = 300
export const ASK_TEXT_MAX = 100_000
export const ASK_PEOPLE_MAX = 20
export const ASK_CHOICES_MAX = 10
export const ASK_CHOICE_ID_MAX = 40
export const ASK_CHOICE_LABEL_MAX = 60
export const ASK_DEADLINE_MINUTES_MAX = 43_200
export const ASK_DEADLINE_MINUTES = 1_440
export const ASK_ROLES = ['owner', 'editor', 'viewer'] as const
export type AskRole = (typeof ASK_ROLES)[number]
const ASK_ENDS = ['failed', 'completed'] as const
const NAME_MAX = 100

const choiceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'An id such as approve: small letters, digits, - and _')
  .max(ASK_CHOICE_ID_MAX)

export const askChoice = z.strictObject({
  id: choiceId.describe('Stands in the output as its decision.'),
  label: nameText('Name the choice')
    .max(ASK_CHOICE_LABEL_MAX, `A choice can have at most ${ASK_CHOICE_LABEL_MAX} characters`)
    .describe('What the button says.'),
  ends: z
    .enum(ASK_ENDS)
    .optional()
    .describe(
      'How it ends the run: failed, with the code `ask_rejected`, or completed. Absent: the run goes on.',
    ),
})
export type AskChoice = z.infer<typeof askChoice>

const names = (what: string) =>
  z
    .array(z.string().trim().min(1).max(NAME_MAX))
    .max(ASK_PEOPLE_MAX, `At most ${ASK_PEOPLE_MAX} ${what}`)
    .refine((list) => new Set(list.map((name) => name.toLowerCase())).size === list.length, 'List each once')

/** Whom a step asks; nobody, where it came by an import. */
export const askedPeople = {
  people: names('people').describe('Usernames.'),
  groups: names('groups').describe('Names of groups.'),
  role: z
    .enum(ASK_ROLES)
    .optional()
    .describe(
      'Its owner, or those with whom the chain is shared in that role; a public chain’s readers have none. Absent: nobody by role.',
    ),
}

/** What a step of kind `ask` asks of whom. */
export const stepAsk = z
  .strictObject({
    question: nameText('Write a question')
      .max(ASK_QUESTION_MAX, `The question can have at most ${ASK_QUESTION_MAX} characters`)
      .regex(/^[^\n\r]*$/, 'The question is one line')
      .describe('One line, as it is: also sent by email, so it takes no values.'),
    text: z
      .string()
      .max(ASK_TEXT_MAX, {
        error: () => `The text must be at most ${ASK_TEXT_MAX.toLocaleString('en')} characters`,
      })
      .describe('A template, like the content: what is to be decided. Shown on the page alone.'),
    editable: z.boolean().describe('Whoever answers may change the text.'),
    ...askedPeople,
    notTheRunner: z.boolean().describe('The person whose run it is can’t answer.'),
    choices: z
      .array(askChoice)
      .min(1, 'Add a choice')
      .max(ASK_CHOICES_MAX, `At most ${ASK_CHOICES_MAX} choices`)
      .describe('In the order in which they are shown.'),
    deadlineMinutes: z
      .int('Must be a whole number')
      .min(1, 'At least a minute')
      .max(ASK_DEADLINE_MINUTES_MAX, 'At most 30 days')
      .describe('Minutes until onDeadline holds.'),
    onDeadline: choiceId.describe('Id of the choice that holds when nobody answered in time.'),
  })
  .refine(({ choices }) => new Set(choices.map(({ id }) => id)).size === choices.length, {
    path: ['choices'],
    error: 'Each choice needs an id of its own',
  })
  .refine(({ choices, onDeadline }) => choices.some(({ id }) => id === onDeadline), {
    path: ['onDeadline'],
    error: 'Choose what holds when nobody answers in time',
  })
export type StepAsk = z.infer<typeof stepAsk>

/** Nobody could ever answer: its people are still to be named. */
export const asksNobody = ({ people, groups, role }: Pick<StepAsk, 'people' | 'groups' | 'role'>): boolean =>
  people.length === 0 && groups.length === 0 && role === undefined
