import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { useJobs } from '../../testing/jobs.ts'
import type { Jobs } from './jobs.ts'

/** A third of the lease: when it is extended. */
const EXTEND_MS = 10_000

/** A queue whose first try does not end by itself, and what happens to its jobs. */
function useStuckQueue(jobs: Jobs) {
  const queue = jobs.queue('stuck')
  const tries: { attempt: number; signal: AbortSignal; end: () => void }[] = []
  queue.work({
    handle: async ({ attempt, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      tries.push({ attempt, signal, end: resolve })
      if (attempt > 1) return
      signal.addEventListener('abort', () => reject(new Error('stopped')))
      await promise
    },
  })
  return { queue, tries }
}

describe.each(databaseKinds)('the leases of jobs on the %s database', (kind) => {
  const database = useTestDatabase(kind)
  const { create, list } = useJobs(database)
  const db = () => database.client.db
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are extended while a job is under way', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const jobs = create()
    const { queue, tries } = useStuckQueue(jobs)
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => expect(tries).toHaveLength(1))
    await db().execute(sql`update jobs set next_at = now() + interval '5 seconds'`)
    await vi.advanceTimersByTimeAsync(EXTEND_MS)
    await vi.waitFor(async () => expect((await list())[0]?.secondsLeft).toBeGreaterThan(20))
    expect(tries[0]?.signal.aborted).toBe(false)
    tries[0]?.end()
    await vi.waitFor(async () => expect(await list()).toEqual([]))
  })

  it('a stop hands a job back at once, and another process takes it up', async () => {
    const first = create()
    const { queue, tries } = useStuckQueue(first)
    await first.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => expect(tries).toHaveLength(1))
    await first.stop()
    expect(tries[0]?.signal.aborted).toBe(true)
    expect(await list()).toMatchObject([{ isHeld: false, attempt: 1, lastError: null }])
    const second = create()
    const { tries: again } = useStuckQueue(second)
    await second.start({ work: true })
    await vi.waitFor(() => expect(again.map(({ attempt }) => attempt)).toEqual([2]))
  })

  it('are not claimed again by the process that has the job, whatever the clocks say', async () => {
    const jobs = create()
    const queue = jobs.queue('roomy')
    const held = Promise.withResolvers<void>()
    const tries: string[] = []
    queue.work({
      concurrency: 2,
      handle: async ({ key }) => {
        tries.push(key)
        if (key === 'held') await held.promise
      },
    })
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'held', payload: {} })
    await vi.waitFor(() => expect(tries).toEqual(['held']))
    await db().execute(sql`update jobs set next_at = now() - interval '1 minute'`)
    for (const key of ['next', 'last']) {
      await queue.send(db(), { key, payload: {} })
      await vi.waitFor(() => expect(tries).toContain(key))
    }
    expect(tries).toEqual(['held', 'next', 'last'])
    held.resolve()
    await vi.waitFor(async () => expect(await list()).toEqual([]))
  })

  it('a job that sends another under its own key leaves that one alone when it ends', async () => {
    const jobs = create()
    const { queue, tries } = useStuckQueue(jobs)
    await jobs.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => expect(tries).toHaveLength(1))
    await db().transaction(async (tx) => {
      await queue.remove(tx, 'k')
      await queue.send(tx, { key: 'k', payload: {}, runAt: new Date(Date.now() + 3_600_000) })
    })
    tries[0]?.end()
    await queue.send(db(), { key: 'other', payload: {} })
    await vi.waitFor(() => expect(tries).toHaveLength(2))
    expect(await list()).toMatchObject([{ key: 'k', attempt: 0 }, { key: 'other' }])
  })
})

describe('a job whose process died', () => {
  const embedded = useTestDatabase('embedded')
  const { create, list } = useJobs(embedded)

  it('is claimed soon after the next start of the embedded database’s one process', async () => {
    await embedded.client.db.execute(sql`
      insert into jobs (queue, key, attempt, is_held, next_at)
      values ('stuck', 'k', 1, true, now() + interval '30 seconds')`)
    const jobs = create()
    const { tries } = useStuckQueue(jobs)
    await jobs.start({ work: true })
    await vi.waitFor(() => expect(tries.map(({ attempt }) => attempt)).toEqual([2]))
    await vi.waitFor(async () => expect(await list()).toEqual([]))
  })
})

describe('two workers on a server', () => {
  const database = useTestDatabase('server')
  const { create, list, passTime } = useJobs(database)
  const db = () => database.client.db
  afterEach(() => {
    vi.useRealTimers()
  })

  it('do each of 1,000 due jobs once', async () => {
    const seen: string[] = []
    for (const _worker of [1, 2]) {
      const jobs = create()
      jobs.queue('busy').work({ concurrency: 8, handle: async ({ key }) => void seen.push(key) })
      await jobs.start({ work: true })
    }
    await db().execute(sql`insert into jobs (queue, key) select 'busy', n from generate_series(1, 1000) n`)
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    expect(seen).toHaveLength(1_000)
    expect(new Set(seen).size).toBe(1_000)
  })

  it('one whose lease has expired loses its job to the other, and is told', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const first = create()
    const { queue, tries } = useStuckQueue(first)
    await first.start({ work: true })
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => expect(tries).toHaveLength(1))
    const second = create()
    const { tries: others } = useStuckQueue(second)
    await second.start({ work: true })
    // The first has no room for another one.
    await passTime('k')
    await vi.waitFor(() => expect(others.map(({ attempt }) => attempt)).toEqual([2]))
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    await vi.advanceTimersByTimeAsync(EXTEND_MS)
    await vi.waitFor(() => expect(tries[0]?.signal.aborted).toBe(true))
  })

  it('go on after the connection that listens was cut', async () => {
    const jobs = create()
    const seen: string[] = []
    const queue = jobs.queue('cut')
    queue.work({ handle: async ({ key }) => void seen.push(key) })
    await jobs.start({ work: true })
    const { rowCount } = await db().execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`)
    expect(rowCount).toBe(1)
    await queue.send(db(), { key: 'k', payload: {} })
    await vi.waitFor(() => expect(seen).toEqual(['k']))
  })
})
