import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { useJobs } from '../../testing/jobs.ts'

describe.each(databaseKinds)('jobs on the %s database', (kind) => {
  const database = useTestDatabase(kind)
  const { create, list, passTime } = useJobs(database)
  const db = () => database.client.db
  afterEach(() => {
    vi.useRealTimers()
  })

  it('one that was sent is done with its payload, and is gone', async () => {
    const jobs = create()
    const queue = jobs.queue<{ text: string }>('simple')
    const seen: unknown[] = []
    queue.work({ handle: async ({ key, payload, attempt }) => void seen.push({ key, payload, attempt }) })
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'k', payload: { text: 'a' } })
    await vi.waitFor(() => expect(seen).toEqual([{ key: 'k', payload: { text: 'a' }, attempt: 1 }]))
    await vi.waitFor(async () => expect(await queue.has(db(), 'k')).toBe(false))
    expect(await list()).toEqual([])
  })

  it('one that was sent in a transaction is done after its commit, and never after a rollback', async () => {
    const jobs = create()
    const queue = jobs.queue('transactional')
    const seen: string[] = []
    queue.work({ handle: async ({ key }) => void seen.push(key) })
    await jobs.start({ work: true })
    const send = (key: string, fail: boolean) =>
      db().transaction(async (tx) => {
        await queue.send(tx, { key, payload: {} })
        if (fail) throw new Error('rolled back')
      })
    await expect(send('lost', true)).rejects.toThrow('rolled back')
    await send('kept', false)
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    expect(seen).toEqual(['kept'])
  })

  it('the one that waits longest is told with its time, where nobody takes it', async () => {
    const jobs = create()
    const queue = jobs.queue('watched')
    queue.work({ handle: async () => {} })
    expect(await jobs.readOldestDue()).toBe(0)
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
    await queue.send(db(), { key: 'next hour', payload: {}, runAt: ago(-3_600) })
    expect(await jobs.readOldestDue()).toBe(0)
    await queue.send(db(), { key: 'a minute late', payload: {}, runAt: ago(60) })
    await queue.send(db(), { key: 'an hour late', payload: {}, runAt: ago(3_600) })
    expect(await jobs.readOldestDue()).toBeGreaterThan(3_500)
  })

  it('one is done at its time, not before', async () => {
    const jobs = create()
    const queue = jobs.queue('timely')
    const seen: [string, number][] = []
    queue.work({ handle: async ({ key, lateMs }) => void seen.push([key, lateMs]) })
    await jobs.start({ work: true })
    const inMs = (ms: number) => new Date(Date.now() + ms)
    await queue.send(db(), { key: 'next year', payload: {}, runAt: inMs(365 * 86_400_000) })
    await queue.send(db(), { key: 'later', payload: {}, runAt: inMs(400) })
    await queue.send(db(), { key: 'soon', payload: {}, runAt: inMs(200) })
    await queue.send(db(), { key: 'past', payload: {}, runAt: inMs(-5_000) })
    await vi.waitFor(() => expect(seen.map(([key]) => key)).toEqual(['past', 'soon', 'later']))
    // Its time is by this program's clock and lateness by the database's, which may have been set meanwhile.
    for (const [key, lateMs] of seen) expect(lateMs, key).toBeGreaterThanOrEqual(key === 'past' ? 4_900 : 0)
    await vi.waitFor(async () => expect((await list()).map(({ key }) => key)).toEqual(['next year']))
  })

  it.each([1, 3])('of many that are due, %i at a time are under way', async (concurrency) => {
    const jobs = create()
    const queue = jobs.queue<{ number: number }>('many')
    const seen: number[] = []
    let running = 0
    let most = 0
    queue.work({
      concurrency,
      handle: async ({ payload }) => {
        running += 1
        most = Math.max(most, running)
        await delay(5)
        running -= 1
        seen.push(payload.number)
      },
    })
    await jobs.start({ work: true })
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    await Promise.all(numbers.map((number) => queue.send(db(), { key: `${number}`, payload: { number } })))
    await vi.waitFor(() => expect(seen.toSorted((a, b) => a - b)).toEqual(numbers))
    expect(most).toBe(concurrency)
  })

  it('one that failed is tried again, later and later', async () => {
    const jobs = create()
    const queue = jobs.queue('failing')
    let tries = 0
    queue.work({
      handle: async ({ attempt }) => {
        tries = attempt
        if (attempt < 12) throw new Error(`try ${attempt}`)
      },
    })
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    const delays: number[] = []
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await vi.waitFor(async () => {
        expect(await list()).toMatchObject([{ attempt, isHeld: false, lastError: `try ${attempt}` }])
      })
      delays.push((await list())[0]?.secondsLeft ?? 0)
      await passTime('k')
    }
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    expect(tries).toBe(12)
    const expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    for (const [index, seconds] of expected.entries()) {
      expect(delays[index]).toBeLessThanOrEqual(seconds)
      expect(delays[index]).toBeGreaterThan(seconds / 2 - 1)
    }
  })

  it('one that fails or takes long holds up no other', async () => {
    const jobs = create()
    const stuck = Promise.withResolvers<void>()
    const seen: string[] = []
    const poisoned = jobs.queue('poisoned')
    poisoned.work({
      handle: async ({ key }) => {
        if (key === 'poison') throw new Error('poison')
        seen.push(key)
      },
    })
    const slow = jobs.queue('slow')
    slow.work({ handle: () => stuck.promise })
    await jobs.start({ work: true })
    for (const key of ['stuck', 'behind']) await slow.send(db(), { key, payload: {} })
    for (const key of ['poison', 'a', 'b']) await poisoned.send(db(), { key, payload: {} })
    await vi.waitFor(() => expect(seen).toEqual(['a', 'b']))
    stuck.resolve()
    await vi.waitFor(async () => expect((await list()).map(({ key }) => key)).toEqual(['poison']))
  })

  it('while one of a key waits another is not needed; one that was removed is not done', async () => {
    const jobs = create()
    const queue = jobs.queue<{ text: string }>('keys')
    const seen: string[] = []
    queue.work({ handle: async ({ payload }) => void seen.push(payload.text) })
    for (const text of ['first', 'second']) await queue.send(db(), { key: 'k', payload: { text } })
    await queue.send(db(), { key: 'other', payload: { text: 'removed' } })
    await queue.remove(db(), 'other')
    await jobs.start({ work: true })
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    await queue.send(db(), { key: 'k', payload: { text: 'third' } })
    await vi.waitFor(() => expect(seen).toEqual(['first', 'third']))
  })

  it('one that repeats waits for its next time, as new', async () => {
    const jobs = create()
    const queue = jobs.queue('hourly')
    let tries = 0
    queue.work({
      repeatSeconds: 3_600,
      handle: async ({ attempt }) => {
        tries += 1
        if (attempt === 1) throw new Error('once')
      },
    })
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ lastError: 'once' }]))
    await passTime('k')
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ attempt: 0, lastError: null }]))
    const [next] = await list()
    expect(next?.secondsLeft).toBeGreaterThan(3_500)
    expect(tries).toBe(2)
  })

  it('A clock that was ahead puts off no repeated job, no retry and no lease.', async () => {
    const seen: string[] = []
    const jobs = create()
    const queues = ['repeats', 'retries', 'leased', 'later'].map((name) => jobs.queue(name))
    for (const [index, queue] of queues.entries()) {
      const repeat = index === 0 ? { repeatSeconds: 60 } : {}
      queue.work({ ...repeat, handle: async ({ key }) => void seen.push(key) })
      const runAt = new Date(Date.now() + 3 * 86_400_000)
      await queue.send(db(), {
        key: ['repeats', 'retries', 'leased', 'later'][index] as string,
        payload: {},
        runAt,
      })
    }
    await db().execute(`update jobs set attempt = 1 where queue in ('retries', 'leased')`)
    await db().execute(`update jobs set is_held = true where queue = 'leased'`)
    await jobs.start({ work: true })
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(expect.arrayContaining(['repeats', 'retries'])))
    const left = await list()
    const secondsLeft = (key: string) => left.find((each) => each.key === key)?.secondsLeft ?? 0
    expect(secondsLeft('repeats')).toBeLessThan(61)
    expect(secondsLeft('leased')).toBeLessThan(31)
    expect(secondsLeft('later')).toBeGreaterThan(2 * 86_400)
  })

  it('a process that does not work leaves jobs to one that does', async () => {
    const seen: string[] = []
    const start = async (work: boolean, name: string) => {
      const jobs = create()
      const queue = jobs.queue('roles')
      queue.work({ handle: async () => void seen.push(name) })
      await jobs.start({ work })
      return queue
    }
    await (await start(false, 'web')).send(db(), { key: 'k', payload: {} })
    expect(await list()).toMatchObject([{ attempt: 0 }])
    await start(true, 'worker')
    await vi.waitFor(() => expect(seen).toEqual(['worker']))
  })

  it('a job that was never announced is found by polling', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const deaf = create({ listen: async () => async () => {} })
    const queue = deaf.queue('deaf')
    const seen: string[] = []
    queue.work({ handle: async ({ key }) => void seen.push(key) })
    await deaf.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => {
      vi.advanceTimersByTime(30_000)
      expect(seen).toEqual(['k'])
    })
  })

  it.each([-1, 1])(
    'a process whose clock is off by %i days does its jobs at the database’s time',
    async (days) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 })
      const jobs = create()
      const queue = jobs.queue('clock')
      const seen: string[] = []
      queue.work({ handle: async ({ key }) => void seen.push(key) })
      await jobs.start({ work: true })
      await queue.send(db(), { key: 'now', payload: {} })
      await db().execute(`insert into jobs (queue, key, run_at, next_at)
      select 'clock', key, at, at from (values ('soon', now() + interval '300 ms'), ('tomorrow', now() + interval '1 hour')) as t(key, at)`)
      await vi.waitFor(() => expect(seen).toEqual(['now', 'soon']))
      expect((await list()).at(-1)).toMatchObject({ key: 'tomorrow', attempt: 0 })
    },
  )
})
