import type { EvaluationCell } from '@catenary/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeOf, percentileOf, summarizeTarget, wilsonInterval } from './evaluations.ts'

const cell = (status: EvaluationCell['status'], fields: Partial<EvaluationCell> = {}): EvaluationCell => ({
  ...{ casePosition: 0, targetPosition: 0, status, reason: null, failing: 0, notRun: 0, score: null },
  ...{ durationMs: null, costUsd: null, executionId: null, reusedFrom: null },
  ...fields,
})

describe('the interval of a pass rate', () => {
  test.each([
    // As published for the Wilson score interval without continuity correction.
    [8, 9, 0.565, 0.98],
    [7, 9, 0.453, 0.937],
    [6, 9, 0.354, 0.879],
    [0, 10, 0, 0.278],
    [10, 10, 0.722, 1],
  ])('%d of %d lies between %d and %d', (passed, all, low, high) => {
    const interval = wilsonInterval(passed, all)
    expect(interval.low).toBeCloseTo(low, 2)
    expect(interval.high).toBeCloseTo(high, 2)
  })

  test('nothing known leaves everything possible', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
  })

  test('it holds the rate, within 0 and 1, and narrows with more of the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 500 }), (all, some) => {
        const passed = Math.min(all, some)
        const { low, high } = wilsonInterval(passed, all)
        const more = wilsonInterval(4 * passed, 4 * all)
        expect(low).toBeLessThanOrEqual(passed / all + 1e-9)
        expect(high).toBeGreaterThanOrEqual(passed / all - 1e-9)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(more.high - more.low).toBeLessThan(high - low)
      }),
    )
  })
})

test('a percentile is one of the values: the smallest that so many do not exceed', () => {
  expect(percentileOf([], 0.5)).toBeNull()
  expect(percentileOf([7], 0.95)).toBe(7)
  expect(percentileOf([3, 1, 2, 4], 0.5)).toBe(2)
  expect(
    percentileOf(
      Array.from({ length: 100 }, (_, index) => 100 - index),
      0.95,
    ),
  ).toBe(95)
})

test('Results are marked regression, fixed, or failing in the baseline too.', () => {
  expect(changeOf(cell('failed'), cell('passed'))).toBe('regression')
  expect(changeOf(cell('error'), cell('passed'))).toBe('regression')
  expect(changeOf(cell('passed'), cell('failed'))).toBe('fixed')
  expect(changeOf(cell('failed'), cell('error'))).toBe('also')
  expect(changeOf(cell('passed'), cell('passed'))).toBeNull()
  for (const status of ['waiting', 'running', 'not-run', 'private'] as const) {
    expect(changeOf(cell(status), cell('passed'))).toBeNull()
    expect(changeOf(cell('failed'), cell(status))).toBeNull()
  }
  expect(changeOf(cell('failed'), undefined)).toBeNull()
})

test('a target in a line counts what has ended and can run', () => {
  const cells = [
    cell('passed', { durationMs: 1_000, costUsd: 0.01 }),
    cell('failed', { durationMs: 3_000, costUsd: 0.02 }),
    cell('not-run', { durationMs: 2_000, costUsd: null }),
    cell('running'),
    cell('private'),
  ]
  const baseline = [cell('passed'), cell('passed'), cell('passed'), cell('passed')]
  expect(summarizeTarget(cells, baseline)).toMatchObject({
    ...{
      passed: 1,
      counted: 2,
      hidden: 1,
      rate: 0.5,
      costUsd: 0.03,
      p50Ms: 2_000,
      p95Ms: 3_000,
      regressions: 1,
    },
  })
  expect(summarizeTarget([cell('waiting')], [])).toMatchObject({ counted: 0, rate: null, costUsd: null })
})
