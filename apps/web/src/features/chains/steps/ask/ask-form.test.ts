import type { StepAsk } from '@catenary/contracts'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type AskInput, askChanges, askForm, askInput, askInputOf, checkAsk, stepAskOf } from './ask-form.ts'

const stored: StepAsk = {
  question: 'May this be sent?',
  text: '{{answer}}',
  editable: true,
  people: ['ana'],
  groups: ['Support leads'],
  role: 'editor',
  notTheRunner: true,
  choices: [
    { id: 'approve', label: 'Approve' },
    { id: 'later', label: 'Not today', ends: 'completed' },
    { id: 'reject', label: 'Reject', ends: 'failed' },
  ],
  deadlineMinutes: 1_440,
  onDeadline: 'later',
}
const saved = z.object(askForm).superRefine(checkAsk).transform(stepAskOf)
const fresh = (change: Partial<AskInput>): AskInput => ({
  ...z.object(askInput).parse({}),
  question: 'May this be sent?',
  people: ['ana'],
  ...change,
})
const problems = (change: Partial<AskInput>) =>
  saved.safeParse(fresh(change)).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test.each([1, 60, 90, 1_440, 2_880, 43_200])(
  'what is stored comes through the form, with %i minutes',
  (minutes) => {
    const step = { ...stored, deadlineMinutes: minutes }
    expect(saved.parse(askInputOf(step))).toEqual(step)
  },
)

test('A new step that asks offers to approve and to reject, within a day.', () => {
  expect(saved.parse(fresh({}))).toEqual({
    question: 'May this be sent?',
    text: '',
    editable: false,
    people: ['ana'],
    groups: [],
    notTheRunner: false,
    choices: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', ends: 'failed' },
    ],
    deadlineMinutes: 1_440,
    onDeadline: 'reject',
  })
})

test('A new choice is named after its label, no two alike; a stored one keeps its name.', () => {
  const choice = (key: string, label: string, id = '') => ({ key, id, label, ends: 'goes_on' as const })
  const choices = [
    choice('a', 'Send it', 'approve'),
    choice('b', 'Später, bitte!'),
    choice('c', 'später bitte'),
    choice('d', '承認'),
  ]
  const ids = (key: string) => saved.parse(fresh({ choices, onDeadline: key }))
  expect(ids('a').choices.map(({ id }) => id)).toEqual([
    'approve',
    'spater_bitte',
    'spater_bitte_2',
    'choice',
  ])
  expect(ids('c').onDeadline).toBe('spater_bitte_2')
})

test('An ask without people, choices, a time or a choice for its end is refused, field by field.', () => {
  expect(problems({})).toEqual([])
  expect(problems({ people: [] })).toEqual([['people', 'Choose who may answer']])
  expect(problems({ people: [], role: 'owner' })).toEqual([])
  expect(problems({ question: ' ' })).toEqual([['question', 'Write a question']])
  expect(problems({ choices: [{ key: 'a', id: '', label: ' ', ends: 'failed' }], onDeadline: 'a' })).toEqual([
    ['choices.0.label', 'Name the choice'],
  ])
  expect(problems({ onDeadline: 'gone' })).toEqual([['onDeadline', 'Choose what holds then']])
  expect(problems({ deadline: '' })).toEqual([['deadline', 'Write how long']])
  expect(problems({ deadline: '31' })).toEqual([['deadline', 'At most 30 days']])
  expect(problems({ deadline: '0' })).toEqual([['deadline', 'At least a minute']])
  expect(problems({ deadline: '1.5', deadlineUnit: 'minutes' })).toEqual([
    ['deadline', 'Write whole minutes'],
  ])
})

test('Two versions of a step that asks differ in sentences.', () => {
  const after = {
    ...stored,
    people: ['ana', 'ben'],
    notTheRunner: false,
    deadlineMinutes: 90,
    onDeadline: 'reject',
  }
  expect(askChanges({ before: { ask: stored }, after: { ask: after } })).toEqual([
    { label: 'People who may answer', before: 'ana', after: 'ana, ben' },
    { label: 'Not the person who runs it', before: 'Yes', after: 'No' },
    { label: 'Time to answer', before: '1 day', after: '90 minutes' },
    { label: 'If nobody answers', before: 'Not today', after: 'Reject' },
  ])
  expect(askChanges({ before: {}, after: { ask: stored } })).toContainEqual({
    label: 'Choices',
    before: '',
    after: 'Approve, Not today (ends as completed), Reject (ends as failed)',
  })
})
