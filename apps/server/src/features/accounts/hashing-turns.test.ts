import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHashingTurns } from './hashing-turns.ts'

const BUSY = { reason: { code: 'unavailable', retryAfter: 5 } }

/** Turns whose work goes on until the test ends it; `begun` names who has had a turn, in order. */
function startTurns(limits: { maxRunning: number; maxWaiting: number }) {
  const inTurn = createHashingTurns(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (who: string) =>
    inTurn(who, () => {
      begun.push(who)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endAll = async (all: Promise<void>[]) => {
    const settled = Promise.allSettled(all)
    let isOver = false
    void settled.then(() => {
      isOver = true
    })
    while (!isOver) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    return settled
  }
  return { ask, begun, endAll }
}

describe('turns at hashing', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('no more run at once than may', async () => {
    const { ask, begun, endAll } = startTurns({ maxRunning: 2, maxWaiting: 10 })
    const all = ['a', 'a', 'a', 'b'].map(ask)
    await new Promise(setImmediate)
    expect(begun).toEqual(['a', 'a'])
    await endAll(all)
    expect(begun).toEqual(['a', 'a', 'a', 'b'])
  })

  test('who comes after a crowd of one address has the next turn but one', async () => {
    const { ask, begun, endAll } = startTurns({ maxRunning: 1, maxWaiting: 10 })
    await endAll(['crowd', 'crowd', 'crowd', 'crowd', 'ada', 'ben'].map(ask))
    expect(begun).toEqual(['crowd', 'crowd', 'ada', 'ben', 'crowd', 'crowd'])
  })

  test('beyond the limit the newest of the crowd is refused at once, and others still find room', async () => {
    const { ask, begun, endAll } = startTurns({ maxRunning: 1, maxWaiting: 3 })
    const crowd = Array.from({ length: 6 }, () => ask('crowd'))
    const ada = ask('ada')
    await expect(Promise.allSettled(crowd.slice(3))).resolves.toMatchObject([BUSY, BUSY, BUSY])
    await endAll([...crowd, ada])
    expect(begun).toEqual(['crowd', 'crowd', 'ada', 'crowd'])
  })

  test('where everyone waits once, who comes last is refused', async () => {
    const { ask, begun, endAll } = startTurns({ maxRunning: 1, maxWaiting: 2 })
    const settled = await endAll(['a', 'b', 'c', 'd'].map(ask))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('who waits too long is refused, and those who come later are not held up by it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { ask, begun, endAll } = startTurns({ maxRunning: 1, maxWaiting: 3 })
    const stuck = ask('a')
    const late = Promise.allSettled([ask('b'), ask('b'), ask('c')])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await late).toMatchObject([BUSY, BUSY, BUSY])
    vi.useRealTimers()
    await endAll([stuck, ...['b', 'c', 'd'].map(ask)])
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  test('it goes on after a failure', async () => {
    const inTurn = createHashingTurns({ maxRunning: 1, maxWaiting: 3 })
    const fail = () => Promise.reject(new Error('broken'))
    const failed = await Promise.allSettled([inTurn('a', fail), inTurn('a', fail), inTurn('b', fail)])
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(await inTurn('a', async () => 'done')).toBe('done')
  })
})
