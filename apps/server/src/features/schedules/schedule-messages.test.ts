import { expect, test } from 'vitest'
import { failureMessage, pausedMessage, resultMessage, skippedMessage } from './schedule-messages.ts'

const about = {
  schedule: { id: 5, chainId: 12, name: 'Morning news', timeZone: 'America/New_York' },
  occurrence: { dueAt: new Date('2026-11-23T13:00:00Z'), executionId: 7 },
  creator: { username: 'Olga' },
  publicUrl: 'https://catenary.example',
}
const step = {
  ...{ position: 1, promptTitle: 'Polish', title: 'Polish', status: 'failed' },
  finishReason: 'length',
} as never
const WHEN = 'November 23, 2026 at 8:00 AM (America/New York)'

test('A mail names the schedule, the chain, the time and its zone in whole sentences.', () => {
  const run = { chainName: 'Daily digest', output: 'Text', steps: [step] }
  const { subject, paragraphs } = resultMessage({ ...about, run })
  expect(subject).toBe('Morning news: completed, but cut off')
  expect(paragraphs).toEqual([
    `‘Morning news’, scheduled by Olga, ran ‘Daily digest’ on ${WHEN}.`,
    'Step 2, ‘Polish’, reached the token limit, so its text is cut off.',
  ])
  const unknown = { ...run, steps: [{ ...(step as object), finishReason: 'unknown' } as never] }
  expect(resultMessage({ ...about, run: unknown })).toMatchObject({
    subject: 'Morning news: completed, but cut off',
    paragraphs: [
      expect.any(String),
      'Step 2, ‘Polish’, ended for an unknown reason, so its text may be cut off.',
    ],
  })
  const same = { ...about, schedule: { ...about.schedule, name: 'Daily digest' } }
  expect(resultMessage({ ...same, run: { ...run, steps: [] } })).toMatchObject({
    subject: 'Daily digest: completed',
    paragraphs: [`‘Daily digest’, scheduled by Olga, ran on ${WHEN}.`],
  })
})

test('a result says how many items of a list are not in it', () => {
  const counts = { all: 12, completed: 9, skipped: 1, failed: 2 }
  const looped = {
    ...(step as object),
    finishReason: 'stop',
    status: 'completed',
    itemCounts: counts,
  } as never
  const whole = { ...(looped as object), itemCounts: { ...counts, failed: 0 } } as never
  const run = { chainName: 'Morning news', output: 'Text', steps: [looped, whole] }
  expect(resultMessage({ ...about, run }).paragraphs.slice(1)).toEqual([
    'Step 2, ‘Polish’, left out 2 of 12 items, which failed.',
  ])
})

test('a failure says which schedule failed, when, at which step and why', () => {
  const run = { steps: [step] } as never
  expect(failureMessage({ ...about, run, reason: 'The model is gone' }).paragraphs).toEqual([
    `‘Morning news’, scheduled by Olga, failed on ${WHEN}.`,
    'It failed at step 2, ‘Polish’.',
    'Reason: The model is gone',
  ])
})

test.each(['skipped', 'missed'] as const)('a run that was %s is described in a sentence', (state) => {
  expect(skippedMessage({ ...about, state, reason: 'Catenary was not running' }).paragraphs).toEqual([
    `The run of ‘Morning news’, scheduled by Olga, on ${WHEN} was ${state}.`,
    'Reason: Catenary was not running',
  ])
})

test('a schedule that was paused says what to do', () => {
  expect(pausedMessage({ ...about, reason: 'Paused after a failure.' }).paragraphs).toEqual([
    'Your schedule ‘Morning news’ is paused: it will not run until you activate it again.',
    'Paused after a failure.',
    'Fix the cause first, or it will be paused again.',
  ])
})
