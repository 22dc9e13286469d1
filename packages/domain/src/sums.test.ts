import type { StepStatus } from '@catenary/contracts'
import { expect, it } from 'vitest'
import { sumAll, sumKnown, sumOfSteps } from './sums.ts'

it('sums what is known, and knows no sum of nothing', () => {
  expect(sumKnown([1, null, 2])).toBe(3)
  expect(sumKnown([0, null])).toBe(0)
  expect(sumKnown([null])).toBeNull()
  expect(sumKnown([])).toBeNull()
})

it('sums all, and knows no sum with a gap', () => {
  expect(sumAll([1, 2])).toBe(3)
  expect(sumAll([])).toBe(0)
  expect(sumAll([1, null])).toBeNull()
})

it('knows no sum of steps of which one completed without telling', () => {
  const step = (status: StepStatus, tokens: number | null) => ({ status, tokens })
  expect(sumOfSteps([step('completed', 4), step('failed', 2), step('waiting', null)], 'tokens')).toBe(6)
  expect(sumOfSteps([step('completed', 4), step('completed', null)], 'tokens')).toBeNull()
  expect(sumOfSteps([step('waiting', null)], 'tokens')).toBeNull()
})
