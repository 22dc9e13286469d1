import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import type { TestApp, TestUser } from '../../testing/harness.ts'

const SETTINGS = { runsPerMinute: 2, modelCallsAtOnce: 4, quotas: { streams: 4 } }
/** What a statement may take elsewhere. */
const STATEMENT_MS = 1_000

/** Two processes on one server, each with its own pool. */
let here: ChainLibrary
let elsewhere: TestApp
let database: DatabaseClient
beforeAll(async () => {
  here = await startChainLibrary('server', {}, SETTINGS)
  const databaseUrl = String(here.client.pool.options.connectionString)
  database = await openDatabase({
    ...{ databaseUrl, dataDir: '', fsync: true, statementLimitMs: STATEMENT_MS },
  })
  elsewhere = await here.startProcess({}, database)
  await here.app.start()
  // Each learns of the others as it starts.
  await elsewhere.app.start()
})
afterAll(async () => {
  await elsewhere.close()
  await database.close()
  await here.close()
})
beforeEach(() => here.fake.reset())

const runAt = (process: Pick<TestApp, 'request'>, promptId: number, as: TestUser) =>
  process.request({ method: 'POST', url: '/api/execute-prompt', body: { promptId, model: 'openai' }, as })

test('runs a minute that were counted there are counted here', async () => {
  const prompt = await here.createPrompt(here.owner, { isPublic: true })
  expect((await runAt(here, prompt.id, here.owner)).status).toBe(200)
  expect((await runAt(elsewhere, prompt.id, here.owner)).status).toBe(200)
  for (const process of [here, elsewhere])
    expect((await runAt(process, prompt.id, here.owner)).status).toBe(429)
  expect((await runAt(elsewhere, prompt.id, here.other)).status).toBe(200)
})

test('while nothing can be counted, a run is refused as the database’s failure, and none begins', async () => {
  const prompt = await here.createPrompt(here.owner, { isPublic: true })
  const person = await here.registerUser()
  const refused = await here.db.transaction(async (tx) => {
    await tx.execute('lock table rate_windows')
    return runAt(elsewhere, prompt.id, person)
  })
  expect(refused.status, refused.text).toBe(503)
  expect(here.fake.journal).toHaveLength(0)
  expect((await runAt(elsewhere, prompt.id, person)).status).toBe(200)
})

test('of open streams each process has its part', async () => {
  await elsewhere.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = elsewhere.http.server.address() as AddressInfo
  const chain = await here.buildChain(['one'], { sharedLevel: 'public' })
  const [held, leave] = [Promise.withResolvers<void>(), new AbortController()]
  here.fake.replyByDefault({ text: 'A', before: () => held.promise })
  const person = await here.registerUser()
  const id = await here.execute(chain.id, {}, person)
  const watch = () =>
    fetch(`http://127.0.0.1:${port}/api/executions/${id}/events`, {
      headers: person.headers,
      signal: leave.signal,
    })
  expect([(await watch()).status, (await watch()).status]).toEqual([200, 200])
  const refused = await watch()
  expect(refused.status).toBe(429)
  expect(await refused.text()).toContain('4 streams open, 2 in each of 2 processes, and all are')
  leave.abort()
  held.resolve()
  expect((await here.ended(id, person)).status).toBe('completed')
})

test('of calls of models each process has its part, and the others wait', async () => {
  const prompt = await here.createPrompt(here.owner, { isPublic: true })
  const held = Promise.withResolvers<void>()
  here.fake.replyByDefault({ text: 'A', before: () => held.promise })
  const people = await Promise.all([1, 2, 3].map(() => here.registerUser()))
  const replies = people.map((person) => runAt(elsewhere, prompt.id, person))
  await vi.waitFor(() => expect(here.fake.journal).toHaveLength(2))
  await setTimeout(300)
  expect(here.fake.journal).toHaveLength(2)
  held.resolve()
  for (const reply of replies) expect((await reply).status).toBe(200)
  expect(here.fake.journal).toHaveLength(3)
})
