import { expect, test } from 'vitest'
import type * as z from 'zod'
import { typedPosition } from '../features/chains/steps/step-form.ts'
import { settingsForm } from '../features/model-settings/settings-form.ts'
import { formOf, scheduleForm } from '../features/schedules/schedule-form.ts'
import { newDraft, readDraft } from '../features/test-suites/assertions/assertion-draft.ts'
import { tokenForm } from '../features/tokens/form/token-form.ts'

interface Read {
  value?: unknown
  problem?: string | undefined
}

const by =
  (field: z.ZodType) =>
  (text: string): Read => {
    const { data, error } = field.safeParse(text)
    return error ? { problem: error.issues[0]?.message } : { value: data }
  }

const schedule =
  (name: 'recurringDayOfMonth' | 'failuresBeforePause') =>
  (text: string): Read => {
    const start = {
      ...formOf({ timeZone: 'UTC' }),
      isRecurring: true,
      recurringType: 'monthly',
      [name]: text,
    }
    const { data, error } = scheduleForm.safeParse({ ...start, scheduledTime: '2030-01-01T09:00' })
    return error ? { problem: error.issues[0]?.message } : { value: data[name] }
  }

const draft =
  (kind: 'latency' | 'word-count', name: 'threshold' | 'weight' | 'min' | 'max', inSet = false) =>
  (text: string): Read => {
    const typed = { ...newDraft(kind), ...(kind === 'latency' && { threshold: '5' }), [name]: text }
    const read = readDraft(inSet ? { ...newDraft('assert-set'), assert: [typed] } : typed)
    if ('problem' in read) return read
    const one = 'assert' in read.assertion ? read.assertion.assert[0] : read.assertion
    const { value } = one as { value?: object }
    return { value: { ...one, ...value }[name as never] }
  }

const { temperature, maxTokens } = settingsForm({ tokensLabel: 'Max tokens' })
const { requestsPerMinute, callsAtOnce, monthlyBudgetUsd } = tokenForm.shape
const position = typedPosition

const whole: [string, (text: string) => Read][] = [
  ['a step’s longest answer', by(maxTokens)],
  ['a step’s position', by(position)],
  ['a token’s requests a minute', by(requestsPerMinute)],
  ['a token’s calls at once', by(callsAtOnce)],
  ['a schedule’s day of the month', schedule('recurringDayOfMonth')],
  ['a schedule’s failures before it pauses', schedule('failuresBeforePause')],
  ['an assertion’s fewest words', draft('word-count', 'min')],
  ['an assertion’s most words', draft('word-count', 'max')],
]
const decimal: [string, (text: string) => Read][] = [
  ['a temperature', by(temperature)],
  ['a token’s budget', by(monthlyBudgetUsd)],
  ['an assertion’s limit', draft('latency', 'threshold')],
  ['an assertion’s weight', draft('latency', 'weight')],
  ['an assertion’s weight, in a set', draft('latency', 'weight', true)],
]

test.each([...whole, ...decimal])(
  'What could be two numbers, such as 1.000 or 1,000, is asked about in a sentence. (%s)',
  (_what, read) => {
    expect(read(' 2 ')).toEqual({ value: 2 })
    expect(read('1.000')).toEqual({ problem: '“1.000” can be read in two ways. Write 1000 or 1' })
    expect(read('1,250')).toEqual({ problem: '“1,250” can be read in two ways. Write 1250 or 1.25' })
    expect(read('1,5').value ?? 1.5).toBe(1.5)
    expect(read('ten').problem).not.toBeUndefined()
  },
)

test.each(decimal)(
  'Every field for a number takes the decimal mark and the grouping of any country. (%s)',
  (_what, read) => {
    expect(read('0,25')).toEqual({ value: 0.25 })
    expect(read('1,50')).toEqual({ value: 1.5 })
  },
)
