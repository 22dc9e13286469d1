import { expect, test } from 'vitest'
import { RateWindows } from './windows.ts'

const WINDOW_MS = 60_000

function startWindows(capacity?: number) {
  const clock = { now: 1_000_000 }
  const windows = new RateWindows<string>({ now: () => clock.now, ...(capacity && { capacity }) })
  const add = (key: string, more: { weight?: number; most?: number } = {}) =>
    windows.add({ key, windowMs: WINDOW_MS, ...more })
  return { clock, add }
}

test('a window begins with its first addition, and each key has its own', () => {
  const { clock, add } = startWindows()
  expect(add('a')).toEqual({ current: 1, ttl: WINDOW_MS })
  clock.now += 20_000
  expect(add('a', { weight: 3 })).toEqual({ current: 4, ttl: 40_000 })
  expect(add('b')).toEqual({ current: 1, ttl: WINDOW_MS })
  clock.now += 40_000
  expect(add('a')).toEqual({ current: 1, ttl: WINDOW_MS })
})

test('an amount beyond the limit is reported and not counted', () => {
  const { add } = startWindows()
  expect([1, 2, 3, 4].map(() => add('a', { most: 2 }).current)).toEqual([1, 2, 3, 3])
  expect(add('a', { most: 3 }).current).toBe(3)
})

test('a clock that was set back begins a new window', () => {
  const { clock, add } = startWindows()
  add('a')
  clock.now -= 3_600_000
  expect(add('a')).toEqual({ current: 1, ttl: WINDOW_MS })
})

test('beyond its capacity the oldest window is forgotten', () => {
  const { add } = startWindows(2)
  for (const key of ['a', 'b', 'c']) add(key)
  expect(['b', 'c', 'a'].map((key) => add(key).current)).toEqual([2, 2, 1])
})
