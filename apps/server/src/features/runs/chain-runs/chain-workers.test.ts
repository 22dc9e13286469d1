import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestApp, TestUser } from '../../../testing/harness.ts'
import { staleStep } from '../../../testing/stale-step.ts'
import { claimChainRuns, releaseChainRuns } from '../engine/leases.sql.ts'
import { prepareStoreSteps } from './step-ends.sql.ts'

describe.each(routeDatabaseKinds)('chain runs and their workers on %s', (kind) => {
  let library: ChainLibrary
  const processes: TestApp[] = []
  const startProcess = async (settings?: object): Promise<TestApp> => {
    const started = await library.startProcess(settings)
    processes.push(started)
    return started
  }
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())
  afterEach(async () => {
    for (const started of processes.splice(0)) await started.close()
  })

  /** As if the process that runs it had died some time ago: the lease has expired. */
  const loseWorker = (id: number) =>
    library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, id))

  test('a run whose worker is gone goes on with the first step that had not completed', async () => {
    const chain = await library.buildChain(['one', 'two {{a}} {{input}}', 'three {{b}}'])
    library.fake.reply({ text: 'A' }, { text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id, { input: 'I' })
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await loseWorker(id)
    await startProcess()
    const run = await library.ended(id)
    expect(run).toMatchObject({ status: 'completed', completedSteps: 3, error: null })
    expect(library.sent().slice(0, 3)).toEqual(['one', 'two A I', 'two A I'])
    expect(library.sent()).toHaveLength(4)
  })

  test('A run that kills its process again and again is given up with a clear message, and can be resumed.', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: 'A' }, { text: ['deadly'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    for (let deaths = 1; deaths < 5; deaths += 1) {
      await loseWorker(id)
      expect(await claimChainRuns(library.db, {})).toMatchObject([{ id }])
    }
    await loseWorker(id)
    await startProcess()
    const run = await library.ended(id)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'server_broke_off', completedSteps: 1 })
    expect(run.error).toBe(
      'The server stopped 5 times during this step, so it is not retried automatically. Resume the run',
    )
    expect(run.steps[1]).toMatchObject({ status: 'failed', errorCode: 'server_broke_off' })
    expect(library.fake.journal).toHaveLength(2)

    await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: library.owner })
    expect((await library.ended(id)).status).toBe('completed')
    expect(library.sent()).toEqual(['one', 'two A', 'two A'])
  })

  test('deaths count for the step under way alone', async () => {
    const chain = await library.buildChain(['one', 'two'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const countDeaths = async () => {
      const [run] = await library.db
        .select({ died: runs.lostWorkers, at: runs.lostAt })
        .from(runs)
        .where(eq(runs.id, id))
      return run
    }
    await loseWorker(id)
    const [held] = await claimChainRuns(library.db, {})
    expect(await countDeaths()).toEqual({ died: 1, at: 0 })
    const claim = { executionId: id, attempt: held?.attempt ?? 0 }
    await prepareStoreSteps(library.db)([{ ...staleStep(0), ...claim }])
    // Released, so no process counts as dead.
    await releaseChainRuns(library.db, [{ id, attempt: claim.attempt }])
    expect(await claimChainRuns(library.db, {})).toMatchObject([{ id }])
    expect(await countDeaths()).toEqual({ died: 0, at: 1 })
    await loseWorker(id)
    await startProcess()
    expect((await library.ended(id)).status).toBe('completed')
    expect(await countDeaths()).toEqual({ died: 1, at: 1 })
  })

  test('A graceful stop hands its runs to other processes.', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    const first = await startProcess()
    library.fake.reply({ text: 'A' }, { text: ['stuck'], fault: 'silence' })
    const started = await first.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/execute`,
      as: library.owner,
    })
    const { id } = started.body as { id: number }
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await first.close()
    processes.splice(processes.indexOf(first), 1)
    expect(await library.status(id)).toMatchObject({ status: 'running', steps: [{}, { status: 'waiting' }] })
    await startProcess()
    expect((await library.ended(id)).status).toBe('completed')
    expect(library.sent()).toEqual(['one', 'two A', 'two A'])
  })

  test('many runs at once all complete, each step asked for once', async () => {
    const chain = await library.buildChain(['one {{input}}', 'two {{a}}'])
    await startProcess()
    const inputs = Array.from({ length: 100 }, (_, index) => `<${index}>`)
    const ids = await Promise.all(inputs.map((input) => library.execute(chain.id, { input })))
    for (const id of ids) expect((await library.ended(id)).status).toBe('completed')
    // What an earlier test left behind may call again.
    const sent = library.sent().filter((text) => text.includes('<'))
    expect(sent).toHaveLength(200)
    expect(new Set(sent).size).toBe(200)
  })

  test('The run of a disabled account ends. Deleting a chain deletes its runs.', async () => {
    const chain = await library.buildChain(['one', 'two'], { sharedLevel: 'public' })
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id, undefined, library.other)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const setDisabled = (disabled: boolean) =>
      library.request({
        method: 'PATCH',
        url: `/api/admin/users/${library.other.user.id}`,
        body: { disabled },
        as: library.admin,
      })
    expect((await setDisabled(true)).status).toBe(200)
    const run = await library.ended(id, library.admin)
    expect(run).toMatchObject({
      ...{ status: 'failed', errorCode: 'account_disabled' },
      error: 'The account of the person who started this run is disabled',
    })
    await vi.waitFor(() => expect(library.fake.journal[0]?.state).not.toBe('open'))
    expect(library.fake.journal).toHaveLength(1)

    library.fake.reply({ text: 'A', delayMs: 300 })
    const doomed = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await library.request({ method: 'DELETE', url: `/api/chains/${chain.id}`, as: library.owner })
    const url = `/api/executions/${doomed}`
    expect((await library.request({ url, as: library.owner })).status).toBe(404)
    await vi.waitFor(() => expect(library.fake.journal[1]?.state).not.toBe('open'))
    expect(library.fake.journal).toHaveLength(2)
  })
})

describe('several processes on a server', () => {
  let web: ChainLibrary
  beforeAll(async () => {
    web = await startChainLibrary('server', {}, { role: 'web' })
    await web.app.start()
  })
  afterAll(() => web.close())
  beforeEach(() => web.fake.reset())
  const cancel = (id: number) =>
    web.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: web.owner })

  test('A process that only serves runs none.', async () => {
    const chain = await web.buildChain(['one'])
    const stopped = await web.execute(chain.id)
    const id = await web.execute(chain.id)
    expect((await web.status(id)).steps[0]?.status).toBe('waiting')
    const waited = { status: 'cancelled', error: 'Stopped while it waited its turn' }
    expect((await cancel(stopped)).body).toMatchObject(waited)
    const worker = await web.startProcess({ role: 'worker' })
    expect((await web.ended(id)).status).toBe('completed')
    expect(web.sent()).toEqual(['one'])
    await worker.close()
  })

  test('those that wait go on in the order in which they came, whichever process took their ids', async () => {
    const chain = await web.buildChain(['one'])
    const later = await web.execute(chain.id)
    const earlier = await web.execute(chain.id)
    const aMinuteAgo = new Date(Date.now() - 60_000)
    await web.db.update(runs).set({ executedAt: aMinuteAgo }).where(eq(runs.id, earlier))
    const claim = async () => (await claimChainRuns(web.db, {}))[0]?.id
    expect([await claim(), await claim()]).toEqual([earlier, later])
    await web.db.update(runs).set({ status: 'cancelled' }).where(eq(runs.chainId, chain.id))
  })

  test('a run that one starts begins on another at once, and a stop reaches it there', async () => {
    const worker = await web.startProcess({ role: 'worker' })
    await worker.app.start()
    const chain = await web.buildChain(['one', 'two'])
    web.fake.reply({ text: 'A' }, { text: ['stuck'], fault: 'silence' })
    const id = await web.execute(chain.id)
    await vi.waitFor(() => expect(web.fake.journal).toHaveLength(2))
    await cancel(id)
    await vi.waitFor(async () => expect((await web.status(id)).status).toBe('cancelled'))
    expect(web.fake.journal[1]?.state).toBe('closed-by-client')
    await worker.close()
  })

  test('runs of an account that is disabled end wherever they go on, and those that wait are not begun', async () => {
    const chain = await web.buildChain(['one'], { sharedLevel: 'public' })
    const disable = ({ user: { id } }: TestUser) =>
      web.request({ method: 'PATCH', url: `/api/admin/users/${id}`, body: { disabled: true }, as: web.admin })
    const ended = { status: 'failed', errorCode: 'account_disabled' }
    const waiter = await web.registerUser({ username: 'Wim' })
    const waiting = await web.execute(chain.id, undefined, waiter)
    await disable(waiter)
    const worker = await web.startProcess({ role: 'worker' })
    await worker.app.start()
    expect(await web.ended(waiting, web.admin)).toMatchObject(ended)
    expect(web.fake.journal).toHaveLength(0)

    web.fake.reply({ text: ['stuck'], fault: 'silence' })
    const runner = await web.registerUser({ username: 'Rita' })
    const id = await web.execute(chain.id, undefined, runner)
    await vi.waitFor(() => expect(web.fake.journal).toHaveLength(1))
    await disable(runner)
    await vi.waitFor(() => expect(web.fake.journal[0]?.state).toBe('closed-by-client'))
    expect(await web.ended(id, web.admin)).toMatchObject(ended)
    await worker.close()
  })

  test('However many workers there are, each run is taken once.', async () => {
    const chain = await web.buildChain(['one {{input}}', 'two {{a}}'])
    const inputs = Array.from({ length: 60 }, (_, index) => `<${index}>`)
    const ids = await Promise.all(inputs.map((input) => web.execute(chain.id, { input })))
    const workers = await Promise.all([1, 2].map(() => web.startProcess({ role: 'worker' })))
    for (const id of ids) expect((await web.ended(id)).status).toBe('completed')
    expect(new Set(web.sent()).size).toBe(120)
    expect(web.sent()).toHaveLength(120)
    const rows = await web.db.select({ attempt: runs.attempt }).from(runs)
    expect(Math.max(...rows.map(({ attempt }) => attempt))).toBe(1)
    for (const worker of workers) await worker.close()
  })
})
