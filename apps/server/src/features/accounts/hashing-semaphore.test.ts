import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHashingSemaphore } from './password-hashing.ts'

const BUSY = { reason: { code: 'unavailable', retryAfter: 5 } }

/** Hashes that run until the test ends them; `begun` names the callers in the order in which they started. */
function startHashing(limits: { maxRunning: number; maxWaiting: number }) {
  const withPermit = createHashingSemaphore(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (who: string) =>
    withPermit(who, () => {
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

describe('the hashing semaphore', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('no more run at once than the limit allows', async () => {
    const { ask, begun, endAll } = startHashing({ maxRunning: 2, maxWaiting: 10 })
    const all = ['a', 'a', 'a', 'b'].map(ask)
    await new Promise(setImmediate)
    expect(begun).toEqual(['a', 'a'])
    await endAll(all)
    expect(begun).toEqual(['a', 'a', 'a', 'b'])
  })

  test('a caller after a crowd of one address is next but one', async () => {
    const { ask, begun, endAll } = startHashing({ maxRunning: 1, maxWaiting: 10 })
    await endAll(['crowd', 'crowd', 'crowd', 'crowd', 'ada', 'ben'].map(ask))
    expect(begun).toEqual(['crowd', 'crowd', 'ada', 'ben', 'crowd', 'crowd'])
  })

  test('beyond the limit the newest of the crowd is refused at once, and others still find room', async () => {
    const { ask, begun, endAll } = startHashing({ maxRunning: 1, maxWaiting: 3 })
    const crowd = Array.from({ length: 6 }, () => ask('crowd'))
    const ada = ask('ada')
    await expect(Promise.allSettled(crowd.slice(3))).resolves.toMatchObject([BUSY, BUSY, BUSY])
    await endAll([...crowd, ada])
    expect(begun).toEqual(['crowd', 'crowd', 'ada', 'crowd'])
  })

  test('when everyone waits once, the last caller is refused', async () => {
    const { ask, begun, endAll } = startHashing({ maxRunning: 1, maxWaiting: 2 })
    const settled = await endAll(['a', 'b', 'c', 'd'].map(ask))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('a caller who waits too long is refused, and later ones are not delayed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { ask, begun, endAll } = startHashing({ maxRunning: 1, maxWaiting: 3 })
    const stuck = ask('a')
    const late = Promise.allSettled([ask('b'), ask('b'), ask('c')])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await late).toMatchObject([BUSY, BUSY, BUSY])
    vi.useRealTimers()
    await endAll([stuck, ...['b', 'c', 'd'].map(ask)])
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  test('it continues after a failure', async () => {
    const withPermit = createHashingSemaphore({ maxRunning: 1, maxWaiting: 3 })
    const fail = () => Promise.reject(new Error('broken'))
    const failed = await Promise.allSettled([
      withPermit('a', fail),
      withPermit('a', fail),
      withPermit('b', fail),
    ])
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(await withPermit('a', async () => 'done')).toBe('done')
  })
})
