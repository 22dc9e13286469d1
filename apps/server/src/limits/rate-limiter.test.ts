import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

const SHARE = 250
let silentMs = 0
let turns: RateLimiter
beforeEach(() => {
  vi.useFakeTimers()
  silentMs = 0
  turns = new RateLimiter({ silentMs: () => silentMs })
})
afterEach(() => {
  turns.close()
  vi.useRealTimers()
})

/** Asks for turns, and gives the ends of those that began. */
function ask(caller: string, count: number): (() => void)[] {
  const ends: (() => void)[] = []
  for (let call = 0; call < count; call += 1)
    void turns.acquire(caller, { share: SHARE }).then(
      (end) => ends.push(end),
      () => {},
    )
  return ends
}

/** Makes a call that takes so long. */
async function use(caller: string, ms: number, share = SHARE): Promise<void> {
  const end = await turns.acquire(caller, { share })
  await vi.advanceTimersByTimeAsync(ms)
  end()
}

/** Someone within their share is there until the result is called. */
async function stay(caller: string, share = 1_000_000): Promise<() => void> {
  return turns.acquire(caller, { share })
}

/** Ends of calls that make all of these callers owe as much as one can. */
async function worn(callers: string[]): Promise<(() => void)[]> {
  const ends = callers.map((caller) => ask(caller, 2))
  await vi.advanceTimersByTimeAsync(60_000)
  return ends.flat()
}

const refusalOf = (caller: string, share = SHARE) =>
  turns.acquire(caller, { share }).then(
    (end) => end(),
    ({ code, retryAfter }) => ({ code, retryAfter }),
  )

describe('one caller alone', () => {
  test('is never refused and owes nothing, however long the calls take', async () => {
    for (let call = 0; call < 100; call += 1) await use('ada', 20_000, 1)
    expect(await refusalOf('ada', 1)).toBeUndefined()
    // What was used while nobody else was there counts for nothing once somebody is.
    await stay('bob')
    expect(await refusalOf('ada', 1)).toBeUndefined()
  })

  test('waits only for their own calls, and for as long as these take', async () => {
    const mine = ask('ada', 20)
    await vi.advanceTimersByTimeAsync(0)
    expect(mine).toHaveLength(8)
    await vi.advanceTimersByTimeAsync(60_000)
    for (let call = 0; call < 20; call += 1) {
      mine[call]?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(mine).toHaveLength(20)
  })

  test('goes on at once with what they waited for when the others have left', async () => {
    const leave = await stay('bob')
    await use('ada', 8_000)
    const next = ask('ada', 1)
    await vi.advanceTimersByTimeAsync(100)
    expect(next).toHaveLength(0)
    leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(next).toHaveLength(1)
  })
})

test('where others are, two calls of a caller are worked on at once', async () => {
  const others = ask('ada', 1)
  const mine = ask('mallory', 10)
  await vi.advanceTimersByTimeAsync(0)
  expect([mine.length, others.length]).toEqual([2, 1])
  mine[0]?.()
  mine[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(mine).toHaveLength(3)
})

test('a caller who came first and has many calls under way holds nobody up', async () => {
  ask('mallory', 10)
  const others = ask('ada', 2)
  await vi.advanceTimersByTimeAsync(0)
  expect(others).toHaveLength(2)
})

test('a caller over their share waits for those within theirs until time has made up for it', async () => {
  await stay('ada')
  // Half of 8 s is Mallory's part, and 2.5 s are free; a quarter of a second comes back each second.
  await use('mallory', 8_000)
  const next = ask('mallory', 1)
  const others = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(5_900)
  expect([next.length, others.length]).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(200)
  expect(next).toHaveLength(1)
})

test('callers who are all over their share go on at once, a call of each', async () => {
  for (const end of await worn(['mallory', 'mary'])) end()
  await vi.advanceTimersByTimeAsync(25_000)
  const leave = await stay('ada')
  const next = [ask('mallory', 3), ask('mary', 3)]
  await vi.advanceTimersByTimeAsync(0)
  expect(next.map(({ length }) => length)).toEqual([0, 0])
  leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(next.map(({ length }) => length)).toEqual([1, 1])
})

test('a delayed call counts for five seconds at most, and none counts while the database is silent', async () => {
  await stay('bob')
  await use('ada', 100_000)
  // 5 s are counted, of which 2.5 s are free.
  const next = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(9_900)
  expect(next).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(next).toHaveLength(1)

  const ends = ask('carl', 2)
  await vi.advanceTimersByTimeAsync(20_000)
  silentMs = 19_500
  for (const end of ends) end()
  expect(await refusalOf('carl')).toBeUndefined()
})

test('while others are there, no more than half a minute is owed, and a long wait is refused with its end', async () => {
  await stay('bob')
  await use('ada', 100_000, 50)
  expect(await refusalOf('ada', 50)).toEqual({ code: 'too_many', retryAfter: 30 })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await refusalOf('ada', 50)).toBeUndefined()
})

test('time that a call took before its turn counts as well, while others are there', async () => {
  expect(await refusalOf('ada', 50)).toBeUndefined()
  turns.addUse('ada', 5_000)
  await stay('bob')
  expect(await refusalOf('ada', 50)).toBeUndefined()
  turns.addUse('ada', 5_000)
  expect(await refusalOf('ada', 50)).toEqual({ code: 'too_many', retryAfter: 30 })
})

test('one who has left is not served', async () => {
  await stay('bob')
  const ends = ask('ada', 2)
  await vi.advanceTimersByTimeAsync(0)
  const left = new AbortController()
  const gone = turns.acquire('ada', { share: SHARE, signal: left.signal })
  left.abort()
  await expect(gone).rejects.toMatchObject({ code: 'too_many' })
  for (const end of ends) end()
  await expect(turns.acquire('ada', { share: SHARE })).resolves.toBeTypeOf('function')
})

test('beyond a hundred waiting calls the next is refused, and a caller who pauses starts fresh', async () => {
  const mine = ask('mallory', 108)
  await expect(turns.acquire('mallory', { share: SHARE })).rejects.toMatchObject({
    code: 'too_many',
    details: undefined,
    retryAfter: 5,
  })
  for (let call = 0; call < 108; call += 1) {
    await vi.advanceTimersByTimeAsync(0)
    mine[call]?.()
  }
  expect(mine).toHaveLength(108)
  await vi.advanceTimersByTimeAsync(120_000)
  await expect(turns.acquire('mallory', { share: SHARE })).resolves.toBeTypeOf('function')
})
