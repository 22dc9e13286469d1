import type { GradedAnswer } from '@catenary/contracts'
import type { GradingTask } from '@catenary/domain/assertions'
import { afterAll, expect, test } from 'vitest'
import { createBoundedWork } from '../bounded/bounded-work.ts'
import { openGrading } from './grading.ts'

const bounded = createBoundedWork()
afterAll(() => bounded.close())

type Asked = Extract<GradingTask, { kind: 'answer' }>['assertion']

const answer = (text: string): GradedAnswer => ({ text, latencyMs: null, costUsd: null, finishReason: null })
const grade = (assertion: Asked, text: string) =>
  openGrading({ bounded }, { owner: 1 })({ kind: 'answer', assertion, answer: answer(text) })

test('A pattern runs for 100 ms of processor time at most.', async () => {
  const ended = {
    passed: false,
    score: 0,
    reason: 'The pattern took more than 100 ms of processor time and was ended',
  }
  const value = '^(a+)+$'
  const text = `${'a'.repeat(40)}!`
  expect(await grade({ type: 'regex', value }, text)).toEqual(ended)
  expect(await grade({ type: 'not-regex', value }, text)).toEqual(ended)
})

test('those that wait behind it are graded after it', async () => {
  const [ended, first, second] = await Promise.all([
    grade({ type: 'regex', value: '(x+x+)+y' }, 'x'.repeat(40)),
    grade({ type: 'regex', value: '^\\d+ words$' }, '151 words'),
    grade({ type: 'is-json' }, '{'),
  ])
  expect([ended.passed, first.passed, second.passed]).toEqual([false, true, false])
})

const A = 'a'.repeat(50_000)
/** Not JSON: every prefix is searched to the end. */
const BRACES = '{'.repeat(20_000)

test.each<[string, Asked, string]>([
  ['a schema’s pattern', { type: 'is-json', value: { type: 'string', pattern: '^(a+)+$' } }, `"${A}!"`],
  ['a text that is looked for', { type: 'contains', value: `${A}b${A}` }, A.repeat(40)],
  ['one of a list', { type: 'not-icontains-any', value: [`${A}b${A}`] }, A.repeat(40)],
  ['a distance', { type: 'levenshtein', value: 'ab'.repeat(50_000) }, 'ba'.repeat(200_000)],
  ['JSON that is looked for', { type: 'contains-json' }, BRACES],
])('%s is ended like a pattern', async (_what, assertion, text) => {
  const { passed, reason } = await grade(assertion, text)
  expect([passed, reason]).toEqual([false, 'Grading took more than 1,000 ms of processor time and was ended'])
})

test('so is a judge’s reply', async () => {
  const assertion = { type: 'llm-rubric', value: 'It is kind' } as const
  const read = await openGrading({ bounded }, { owner: 1 })({ kind: 'reply', assertion, reply: BRACES })
  expect(read).toMatchObject({
    passed: false,
    reason: 'Grading took more than 1,000 ms of processor time and was ended',
  })
})

test('an answer’s assertions share five seconds: those that are left fail', async () => {
  const one = openGrading({ bounded }, { owner: 1 })
  const task: GradingTask = { kind: 'reply', assertion: { type: 'llm-rubric', value: 'x' }, reply: BRACES }
  const reasons: string[] = []
  for (let count = 0; count < 7; count += 1) reasons.push((await one(task)).reason)
  expect(reasons[0]).toBe('Grading took more than 1,000 ms of processor time and was ended')
  expect(reasons.at(-1)).toBe('Grading took more than 5,000 ms of processor time and was ended')
})
