import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Turns } from './turns.ts'

const SHARE = 250
let turns: Turns
beforeEach(() => {
  vi.useFakeTimers()
  turns = new Turns()
})
afterEach(() => {
  turns.close()
  vi.useRealTimers()
})

/** Asks for turns, and gives the ends of those that began. */
function ask(caller: string, count: number): (() => void)[] {
  const ends: (() => void)[] = []
  for (let call = 0; call < count; call += 1) void turns.take(caller, SHARE).then((end) => ends.push(end))
  return ends
}

test('of one caller two calls are worked on at once, whatever others ask', async () => {
  const mine = ask('mallory', 10)
  const others = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(0)
  expect([mine.length, others.length]).toEqual([2, 1])
  mine[0]?.()
  mine[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(mine).toHaveLength(3)
})

test('who took more than their share waits until time has made up for it; nobody else does', async () => {
  const first = ask('mallory', 1)
  await vi.advanceTimersByTimeAsync(10_000)
  first[0]?.()
  // Of 10 s that were used 2.5 are free; a quarter of a second comes back each second.
  const next = ask('mallory', 1)
  const others = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(29_000)
  expect([next.length, others.length]).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(1_100)
  expect(next).toHaveLength(1)
})

test('beyond a hundred that wait the next is refused, and who rests is as good as new', async () => {
  const mine = ask('mallory', 102)
  await expect(turns.take('mallory', SHARE)).rejects.toMatchObject({
    code: 'too_many',
    details: undefined,
    retryAfter: 5,
  })
  for (let call = 0; call < 102; call += 1) {
    await vi.advanceTimersByTimeAsync(0)
    mine[call]?.()
  }
  expect(mine).toHaveLength(102)
  await vi.advanceTimersByTimeAsync(120_000)
  await expect(turns.take('mallory', SHARE)).resolves.toBeTypeOf('function')
})
