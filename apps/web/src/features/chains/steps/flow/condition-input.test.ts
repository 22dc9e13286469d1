import type { Condition } from '@catenary/contracts'
import { expect, test } from 'vitest'
import {
  comparisonProblem,
  conditionForm,
  conditionInputOf,
  conditionOf,
  newComparison,
  readyConditionOf,
  withName,
  withOp,
} from './condition-input.ts'

const whole: Condition = {
  all: [
    { ref: 'triage.severity', op: 'is', value: 'high' },
    { ref: 'triage.kind', op: 'is_one_of', not: true, value: ['spam', 'press'] },
    {
      any: [
        { ref: 'client', op: 'is_empty' },
        { ref: 'triage.amount', op: '>', value: '20.50' },
      ],
    },
  ],
}

test('a condition comes out of the form as it went in', () => {
  expect(conditionOf(conditionInputOf(whole))).toEqual(whole)
  expect(conditionOf(conditionInputOf(null))).toBeNull()
})

test('with another operator what was compared with stays, also for the way back', () => {
  const row = { ...newComparison(), ref: 'triage.kind', value: 'spam' }
  const several = withOp(row, { op: 'is_one_of', not: false })
  expect(several.values).toEqual(['spam'])
  const more = { ...several, values: ['press', 'spam'] }
  const back = withOp(more, { op: 'is', not: true })
  expect([back.value, back.not]).toEqual(['spam', true])
  expect(withOp(back, { op: 'is_one_of', not: true }).values).toEqual(['press', 'spam'])
  expect(withOp({ ...back, op: 'is_empty' }, { op: 'contains', not: false }).value).toBe('spam')
})

test.each([
  [{ ref: ' ' }, 'Choose what to look at'],
  [{ ref: '{{triage}}' }, 'Write the name alone, such as triage.severity'],
  [{ value: '' }, 'Write a value'],
  [{ op: '>', value: 'many' }, 'Write a number, such as 20 or 0.5'],
  [{ op: '<', value: '1.500' }, '“1.500” can be read in two ways. Write 1500 or 1.5'],
  [{ op: '>', value: '1,5' }, undefined],
  [{ op: 'matches', value: '(' }, 'This is not a regular expression'],
  [{ op: 'is_one_of', values: ['a', ''] }, 'Write a value in each field'],
  [{ op: '<', value: '-.5e3' }, undefined],
  [{ op: 'is_empty', value: '' }, undefined],
] as const)('of %o it is said: %s', (fields, message) => {
  const row = {
    ...newComparison(),
    ref: 'triage',
    value: 'high',
    ...fields,
    values: [...('values' in fields ? fields.values : [])],
  }
  expect(comparisonProblem(row)?.message).toBe(message)
  const saved = conditionForm.safeParse({ join: 'all', parts: [row] })
  expect(saved.success).toBe(message === undefined)
})

test('a number is written in the way of any country, and kept with a point', () => {
  const kept = (value: string) =>
    conditionOf({ join: 'all', parts: [{ ...newComparison(), ref: 'amount', op: '>', value }] })
  expect(['1,5', '1.234,50', '12345678901234567890', '-.5e3'].map(kept)).toEqual(
    ['1.5', '1234.50', '12345678901234567890', '-.5e3'].map((value) => ({
      all: [{ ref: 'amount', op: '>', value }],
    })),
  )
})

test('while it is written, the checks read what is named already', () => {
  const input = conditionInputOf(whole)
  const begun = input && { ...input, parts: [...input.parts, newComparison()] }
  expect(readyConditionOf(begun)).toEqual(whole)
  expect(readyConditionOf({ join: 'any', parts: [newComparison()] })).toBeNull()
})

test('another name stands wherever it looked at a variable, in groups too', () => {
  expect(conditionOf(withName(conditionInputOf(whole), { name: 'Client', by: 'input' }))).toEqual({
    all: [
      whole.all[0],
      whole.all[1],
      {
        any: [
          { ref: 'input', op: 'is_empty' },
          { ref: 'triage.amount', op: '>', value: '20.50' },
        ],
      },
    ],
  })
})
