import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

const refusalOf = (caller: string, share = SHARE) =>
  turns.acquire(caller, { share }).then(
    () => undefined,
    ({ code, retryAfter }) => ({ code, retryAfter }),
  )

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

test('a caller over their share waits until time has made up for it; nobody else does', async () => {
  await use('mallory', 4_000)
  // Of 4 s that were used 2.5 are free; a quarter of a second comes back each second.
  const next = ask('mallory', 1)
  const others = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(5_900)
  expect([next.length, others.length]).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(200)
  expect(next).toHaveLength(1)
})

test('a delayed call counts for five seconds at most, and none counts while the database is silent', async () => {
  await use('ada', 100_000)
  await vi.advanceTimersByTimeAsync(1_000)
  const next = ask('ada', 1)
  await vi.advanceTimersByTimeAsync(8_900)
  expect(next).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(next).toHaveLength(1)

  const ends = ask('bob', 2)
  await vi.advanceTimersByTimeAsync(20_000)
  silentMs = 19_500
  for (const end of ends) end()
  expect(await refusalOf('bob')).toBeUndefined()
})

test('no more than half a minute is owed, and a caller with a long wait is told when to come back', async () => {
  await use('ada', 100_000, 50)
  expect(await refusalOf('ada', 50)).toEqual({ code: 'too_many', retryAfter: 30 })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await refusalOf('ada', 50)).toBeUndefined()
})

test('a caller behind calls that do not end is refused after ten seconds; one who has left is not served', async () => {
  expect(ask('ada', 2)).toHaveLength(0)
  const left = new AbortController()
  const gone = turns.acquire('ada', { share: SHARE, signal: left.signal })
  const refused = refusalOf('ada')
  left.abort()
  await expect(gone).rejects.toMatchObject({ code: 'too_many' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await refused).toEqual({ code: 'too_many', retryAfter: 5 })
})

test('beyond a hundred waiting calls the next is refused, and a caller who pauses starts fresh', async () => {
  const mine = ask('mallory', 102)
  await expect(turns.acquire('mallory', { share: SHARE })).rejects.toMatchObject({
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
  await expect(turns.acquire('mallory', { share: SHARE })).resolves.toBeTypeOf('function')
})
