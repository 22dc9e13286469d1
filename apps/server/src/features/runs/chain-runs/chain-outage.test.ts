import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../database/open/client.ts'
import { runs } from '../../../database/schema/index.ts'
import { startChainLibrary } from '../../../testing/chain-library.ts'
import { createServerDatabase } from '../../../testing/database.ts'
import { startDatabaseProxy } from '../../../testing/database-proxy.ts'
import { startGateway } from '../../../testing/gateway.ts'

const TICK_MS = 10_000

afterEach(() => {
  vi.useRealTimers()
})

test('a step that must know its budget while the database is away waits for it', async () => {
  const databaseUrl = await createServerDatabase()
  const proxy = await startDatabaseProxy(databaseUrl)
  const client = await openDatabase({ dataDir: '', fsync: false, databaseUrl: proxy.url })
  const library = await startChainLibrary('server', {}, {}, { database: { client } })
  const chain = await library.buildChain([{ content: 'one', fallbackModel: 'claude' }])
  const away = Promise.withResolvers<void>()
  library.fake.reply({ text: ['half'], fault: 'malformed', before: () => away.promise })
  const id = await library.execute(chain.id)
  await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
  proxy.cut()
  away.resolve()
  await expect(library.db.execute(sql`select 1`)).rejects.toThrow()
  proxy.mend()
  // The next model has no key here, so its error shows that it was asked.
  expect((await library.ended(id)).error).toMatch(/The fallback failed too: API key not configured/)
  await library.close()
  await client.close()
  proxy.close()
})

test.each([
  ['that is short', ['{{input}}']],
  ['of two steps', ['{{input}}', 'two']],
])(
  'an attached run %s, whose row is written but not acknowledged, is the only one of its call',
  async (_, steps) => {
    const databaseUrl = await createServerDatabase()
    const proxy = await startDatabaseProxy(databaseUrl)
    const client = await openDatabase({ dataDir: '', fsync: false, databaseUrl: proxy.url })
    const gateway = await startGateway('server', {}, {}, { database: { client } })
    const { value, model } = await gateway.serve(steps)
    const answer = Promise.withResolvers<void>()
    gateway.fake.reply({ text: 'A', before: () => answer.promise })
    gateway.fake.replyByDefault({ text: 'B' })
    proxy.loseAnswerTo('create_chain_runs')
    const body = { model, messages: [{ role: 'user', content: 'once' }] }
    const call = gateway.post('/v1/chat/completions', value, body)
    await vi.waitFor(async () => expect(await gateway.db.$count(runs)).toBe(1))
    answer.resolve()
    expect((await call).status).toBe(200)
    const listed = await gateway.db.select({ status: runs.status, output: runs.output }).from(runs)
    expect(listed).toEqual([{ status: 'completed', output: steps.length === 1 ? 'A' : 'B' }])
    await gateway.close()
    await client.close()
    proxy.close()
  },
)

test('a repeat of a call with its key follows the run whose row was written but not acknowledged', async () => {
  const databaseUrl = await createServerDatabase()
  const proxy = await startDatabaseProxy(databaseUrl)
  const open = (url: string) => openDatabase({ dataDir: '', fsync: false, databaseUrl: url })
  const [client, beside] = [await open(proxy.url), await open(databaseUrl)]
  const gateway = await startGateway('server', {}, {}, { database: { client }, takeoverWaitMs: 0 })
  const { value, model } = await gateway.serve()
  gateway.fake.replyByDefault({ text: 'A' })
  proxy.loseAnswerTo('create_chain_runs')
  const body = { model, messages: [{ role: 'user', content: 'once' }] }
  const call = () => gateway.post('/v1/chat/completions', value, body, { 'idempotency-key': 'of-one-run' })
  expect((await call()).status).toBe(503)
  await beside.db.update(runs).set({ leaseUntil: sql`now() - interval '1 second'` })
  expect((await call()).status).toBe(200)
  expect(await beside.db.select({ status: runs.status }).from(runs)).toEqual([{ status: 'completed' }])
  await gateway.close()
  await Promise.all([client.close(), beside.close()])
  proxy.close()
})

/** Longer than the test takes. */
const TAKEOVER_WAIT_MS = 300_000

/** As database/signals/pulse polls. */
const POLL_MS = 500

test('after an outage that outlasted its leases a process extends them before its runs go on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const databaseUrl = await createServerDatabase()
  const proxy = await startDatabaseProxy(databaseUrl)
  const options = { dataDir: '', fsync: false }
  const client = await openDatabase({ ...options, databaseUrl: proxy.url })
  const beside = await openDatabase({ ...options, databaseUrl })
  const library = await startChainLibrary('server', {}, {}, { database: { client } })
  const chain = await library.buildChain(['one', 'two'])

  const answer = Promise.withResolvers<void>()
  let secondsLeft: number | undefined
  library.fake.reply(
    { text: 'A', before: () => answer.promise },
    {
      text: 'B',
      before: async () => {
        const left = sql<number>`extract(epoch from ${runs.leaseUntil} - now())`.mapWith(Number)
        const [run] = await beside.db.select({ left }).from(runs)
        secondsLeft = run?.left
      },
    },
  )
  const id = await library.execute(chain.id)
  await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
  proxy.cut()
  await vi.advanceTimersByTimeAsync(TICK_MS)
  // Callers without a database got their error before it is back.
  await expect(library.db.execute(sql`select 1`)).rejects.toThrow()
  await beside.db.update(runs).set({ leaseUntil: sql`now() - interval '1 second'` })
  proxy.mend()
  answer.resolve()
  // What was asked while the timers jumped counts as silence until the next poll is answered.
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(client.pulse.isAway()).toBe(false)
  })
  expect((await library.ended(id)).status).toBe('completed')
  expect(secondsLeft).toBeGreaterThan(0)
  await library.close()
  await Promise.all([client.close(), beside.close()])
  proxy.close()
})

test('after an outage a process leaves runs alone whose owners have not had the time to extend their leases', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const databaseUrl = await createServerDatabase()
  const [ofOwner, ofOther] = [await startDatabaseProxy(databaseUrl), await startDatabaseProxy(databaseUrl)]
  const open = (url: string) => openDatabase({ dataDir: '', fsync: false, databaseUrl: url })
  const [owner, other, beside] = [await open(ofOwner.url), await open(ofOther.url), await open(databaseUrl)]
  const library = await startChainLibrary(
    'server',
    {},
    {},
    { database: { client: owner }, takeoverWaitMs: TAKEOVER_WAIT_MS },
  )
  await library.app.start()
  const idle = await library.startProcess({}, other)
  await idle.app.start()
  // That of their starts is over.
  vi.advanceTimersByTime(TAKEOVER_WAIT_MS)
  const chain = await library.buildChain(['one', 'two'])
  const answer = Promise.withResolvers<void>()
  library.fake.reply({ text: 'A', before: () => answer.promise })
  const id = await library.execute(chain.id)
  await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))

  for (const proxy of [ofOwner, ofOther]) proxy.cut()
  await vi.waitFor(() => expect(other.rowChanges.isListening).toBe(false))
  await beside.db.update(runs).set({ leaseUntil: sql`now() - interval '1 second'` })
  ofOther.mend()
  await vi.waitFor(() => expect(other.rowChanges.isListening).toBe(true))
  // What waits for any worker is claimed at once; whoever claims it has seen the other.
  await beside.pool.query(`
    insert into executions (kind, user_id, chain_id, plan, step_count)
    select kind, user_id, chain_id, plan, step_count from executions`)
  await beside.pool.query(`select pg_notify('catenary_runs', '{"type": "waiting"}')`)
  const list = () =>
    beside.db.select({ status: runs.status, attempt: runs.attempt }).from(runs).orderBy(runs.id)
  await vi.waitFor(async () =>
    expect(await list()).toEqual([
      { status: 'running', attempt: 1 },
      { status: 'completed', attempt: 1 },
    ]),
  )

  ofOwner.mend()
  answer.resolve()
  expect((await library.ended(id)).status).toBe('completed')
  expect(library.sent()).toEqual(['one', 'one', 'two', 'two'])
  await idle.close()
  await library.close()
  await Promise.all([owner, other, beside].map((client) => client.close()))
  for (const proxy of [ofOwner, ofOther]) proxy.close()
})
