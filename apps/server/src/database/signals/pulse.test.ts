import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServerPulse } from './pulse.ts'

let isWaitedFor = true
let asked: PromiseWithResolvers<void>[] = []
let pulse: ServerPulse
beforeEach(() => {
  vi.useFakeTimers()
  isWaitedFor = true
  asked = []
  const ask = () => {
    const answer = Promise.withResolvers<void>()
    asked.push(answer)
    return answer.promise
  }
  pulse = new ServerPulse({ isWaitedFor: () => isWaitedFor, ask })
})
afterEach(() => {
  pulse.close()
  vi.useRealTimers()
})

test('a silent database counts as away after three seconds, and its silence adds up', async () => {
  await vi.advanceTimersByTimeAsync(3_000)
  expect([pulse.isAway(), pulse.silentMs(), asked.length]).toEqual([false, 2_500, 1])
  await vi.advanceTimersByTimeAsync(1_000)
  expect([pulse.isAway(), pulse.silentMs()]).toEqual([true, 3_500])
  asked[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect([pulse.isAway(), pulse.silentMs()]).toEqual([false, 3_500])
})

test('an unreachable database stays away until it answers, although no call is let through to it', async () => {
  await vi.advanceTimersByTimeAsync(500)
  asked[0]?.reject(new Error('The connection to the database fell silent'))
  isWaitedFor = false
  await vi.advanceTimersByTimeAsync(4_000)
  expect([pulse.isAway(), asked.length]).toEqual([true, 2])
  asked[1]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect([pulse.isAway(), pulse.silentMs()]).toEqual([false, 4_000])
})

test('a database that refuses is asked again within a tenth of a second, so that calls are let through at once', async () => {
  await vi.advanceTimersByTimeAsync(500)
  asked[0]?.reject(new Error('connect ECONNREFUSED'))
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect([pulse.isAway(), asked.length]).toEqual([false, 2])
})

test('a slightly late answer is no silence, and a database that nothing waits for is not polled', async () => {
  await vi.advanceTimersByTimeAsync(1_400)
  asked[0]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(pulse.silentMs()).toBe(0)
  isWaitedFor = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toHaveLength(1)
})
