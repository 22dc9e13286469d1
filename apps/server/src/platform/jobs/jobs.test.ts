import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { createLog } from '../log/log.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { createQueueDatabase } from './queue-database.ts'

const log = createLog({ level: 'silent' })

describe.each(databaseKinds)('jobs on the %s database', (kind) => {
  const database = useTestDatabase(kind)
  const open: Jobs[] = []
  const create = (): Jobs => {
    const jobs = createJobs({ database: database.client, log })
    open.push(jobs)
    return jobs
  }
  afterEach(async () => {
    for (const jobs of open.splice(0)) await jobs.stop()
  })

  it('a job that was sent runs with its data', async () => {
    const jobs = create()
    const queue = jobs.define<{ text: string }>({ name: 'simple' })
    const seen: unknown[] = []
    queue.work({ handle: async ({ data, attempt }) => void seen.push({ data, attempt }) })
    await jobs.start({ work: true })
    await queue.send({ data: { text: 'a' } })
    await vi.waitFor(() => expect(seen).toEqual([{ data: { text: 'a' }, attempt: 1 }]), 5_000)
  })

  it('a job that was sent in a transaction runs after its commit, and never after a rollback', async () => {
    const jobs = create()
    const queue = jobs.define<{ text: string }>({ name: 'transactional' })
    const seen: string[] = []
    queue.work({ handle: async ({ data }) => void seen.push(data.text) })
    await jobs.start({ work: true })
    const send = (text: string, fail: boolean) =>
      database.client.db.transaction(async (executor) => {
        await queue.send({ data: { text }, executor })
        if (fail) throw new Error('rolled back')
      })
    await expect(send('lost', true)).rejects.toThrow('rolled back')
    await send('kept', false)
    await queue.send({ data: { text: 'last' } })
    await vi.waitFor(() => expect(seen).toContain('last'), 5_000)
    await delay(100)
    expect(seen.toSorted()).toEqual(['kept', 'last'])
  })

  it.each([1, 3])(
    'many jobs that are sent at once run one after the other, %i at a time',
    async (concurrency) => {
      const jobs = create()
      const queue = jobs.define<{ number: number }>({ name: `many-${concurrency}` })
      const seen: number[] = []
      let running = 0
      let most = 0
      queue.work({
        concurrency,
        handle: async ({ data }) => {
          running += 1
          most = Math.max(most, running)
          await delay(5)
          running -= 1
          seen.push(data.number)
        },
      })
      await jobs.start({ work: true })
      const numbers = Array.from({ length: 20 }, (_, number) => number)
      await Promise.all(numbers.map((number) => queue.send({ data: { number } })))
      // A look every few seconds would take more than a minute.
      await vi.waitFor(() => expect(seen.toSorted((a, b) => a - b)).toEqual(numbers), 15_000)
      expect(most).toBeLessThanOrEqual(concurrency)
    },
  )

  it('a failed job is tried again', async () => {
    const jobs = create()
    const queue = jobs.define<object>({ name: 'failing', retryLimit: 1, retryDelaySeconds: 0 })
    const attempts: number[] = []
    queue.work({
      handle: async ({ attempt }) => {
        attempts.push(attempt)
        if (attempt === 1) throw new Error('first try')
        await Promise.resolve()
      },
    })
    await jobs.start({ work: true })
    await queue.send({ data: {} })
    await vi.waitFor(async () => {
      // The second try comes with the next look, which each new job brings on.
      await queue.send({ data: {} })
      expect(attempts).toContain(2)
    }, 10_000)
  })

  it('a process that does not work leaves jobs to one that does', async () => {
    const seen: string[] = []
    const web = create()
    const sender = web.define<{ text: string }>({ name: 'roles' })
    sender.work({ handle: async () => void seen.push('web') })
    await web.start({ work: false })
    await sender.send({ data: { text: 'a' } })
    await delay(100)
    expect(seen).toEqual([])

    const worker = create()
    worker.define<{ text: string }>({ name: 'roles' }).work({ handle: async () => void seen.push('worker') })
    await worker.start({ work: true })
    await vi.waitFor(() => expect(seen).toEqual(['worker']), 5_000)
  })

  it('a stop hands a running job back, and another process takes it up', async () => {
    const define = (jobs: Jobs) => jobs.define<object>({ name: 'handed-back', retryDelaySeconds: 0 })
    const first = create()
    const queue = define(first)
    const started = Promise.withResolvers<void>()
    queue.work({
      handle: ({ signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve()
          signal.addEventListener('abort', () => reject(new Error('handed back')))
        }),
    })
    await first.start({ work: true })
    await queue.send({ data: {} })
    await started.promise
    await first.stop()

    const second = create()
    const attempts: number[] = []
    define(second).work({ handle: async ({ attempt }) => void attempts.push(attempt) })
    await second.start({ work: true })
    await vi.waitFor(() => expect(attempts).toEqual([2]), 5_000)
  })

  it('processes that start at the same moment make the tables once', async () => {
    const several = Array.from({ length: 3 }, create)
    const queues = several.map((jobs) => jobs.define<object>({ name: 'together' }))
    await Promise.all(several.map((jobs) => jobs.start({ work: false })))
    for (const queue of queues) expect(await queue.send({ data: {} })).toEqual(expect.any(String))
  })

  it('a block of statements that fails leaves no open transaction behind', async () => {
    const queueDatabase = createQueueDatabase(database.client)
    await expect(queueDatabase.executeSql('begin; select 1 / 0; commit')).rejects.toThrow('division by zero')
    await database.client.pool.query('select 1')
  })
})
