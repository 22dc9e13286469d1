import type { GradedAnswer } from '@catenary/contracts'
import { afterAll, expect, test } from 'vitest'
import { createGradingThread } from './grading-thread.ts'

const thread = createGradingThread()
afterAll(() => thread.close())

const answer = (text: string): GradedAnswer => ({ text, latencyMs: null, costUsd: null, finishReason: null })

test('a pattern that would never end is ended, fails, and so does its opposite', async () => {
  const ended = { passed: false, score: 0, reason: 'The pattern took more than 100 ms and was ended' }
  const value = '^(a+)+$'
  const text = answer(`${'a'.repeat(40)}!`)
  expect(await thread.grade({ type: 'regex', value }, text)).toEqual(ended)
  expect(await thread.grade({ type: 'not-regex', value }, text)).toEqual(ended)
})

test('those that wait behind it are graded after it', async () => {
  const [ended, first, second] = await Promise.all([
    thread.grade({ type: 'regex', value: '(x+x+)+y' }, answer('x'.repeat(40))),
    thread.grade({ type: 'regex', value: '^\\d+ words$' }, answer('151 words')),
    thread.grade({ type: 'is-json' }, answer('{')),
  ])
  expect([ended.passed, first.passed, second.passed]).toEqual([false, true, false])
})

test('a schema’s pattern is ended like another', async () => {
  const value = { type: 'string', pattern: '^(a+)+$' }
  const graded = await thread.grade({ type: 'is-json', value }, answer(`"${'a'.repeat(60)}!"`))
  expect(graded.reason).toBe('Grading took more than 1,000 ms and was ended')
})
