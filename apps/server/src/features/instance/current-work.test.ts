import type { CurrentWork } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { jobs } from '../../database/schema/jobs.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { readVersion } from '../../version.ts'

const PATH = '/api/admin/processes'

describe.each(routeDatabaseKinds)('what goes on now, for administrators, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind, {}, { chainRunsAtOnce: 1 })
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const ask = (as: TestUser | undefined = library.admin) => library.request({ url: PATH, as })
  const read = async () => (await ask()).body as CurrentWork
  const stop = (id: number, as: TestUser = library.admin) =>
    library.request({ method: 'POST', url: `${PATH}/runs/${id}/stop`, as })
  /** Two runs of a private chain: the first at its second step, the other waits. */
  const startTwo = async () => {
    const chain = await library.buildChain(['SECRET one', { content: 'two {{a}}', model: 'openai' }], {
      name: 'SECRET name',
    })
    library.fake.reply({ text: 'SECRET answer' }, { text: ['stuck'], fault: 'silence' })
    const first = await library.execute(chain.id, { input: 'SECRET input' })
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    return { first, second: await library.execute(chain.id) }
  }

  test('nobody else reads or stops anything', async () => {
    expect((await library.request({ url: PATH })).status).toBe(401)
    expect((await ask(library.owner)).status).toBe(403)
    expect((await stop(1, library.owner)).status).toBe(403)
  })

  test('Administrators can stop anyone’s run, which is recorded.', async () => {
    const { first, second } = await startTwo()
    const reply = await ask()
    const { runs, hasMoreRuns } = reply.body as CurrentWork
    const shared = { kind: 'chain', model: 'openai', trigger: 'manual', username: 'Olga', stepCount: 2 }
    expect(runs).toMatchObject([
      { ...shared, id: first, state: 'running', completedSteps: 1, heldUntil: expect.any(String) },
      { id: second, state: 'waiting', completedSteps: 0, heldUntil: null },
    ])
    expect(hasMoreRuns).toBe(false)
    expect(reply.text).not.toContain('SECRET')

    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    expect((await stop(first)).status).toBe(204)
    expect(await library.ended(first)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' })
    expect((await stop(second)).status).toBe(204)
    expect((await library.ended(second)).status).toBe('cancelled')
    expect((await stop(first)).status).toBe(404)
    const stops = await library.db
      .select({ personId: activity.personId, objectId: activity.objectId })
      .from(activity)
      .where(eq(activity.kind, 'run.stopped'))
      .orderBy(activity.id)
    const personId = library.admin.user.id
    expect(stops).toEqual([
      { personId, objectId: first },
      { personId, objectId: second },
    ])
    await vi.waitFor(async () => expect((await read()).runs).toEqual([]))
  })

  test('jobs are counted by queue, and none of what they hold is shown', async () => {
    const row = { queue: 'probe', payload: { text: 'SECRET' } }
    const nextAt = sql`now() + interval '1 hour'`
    await library.db.insert(jobs).values([
      { ...row, key: 'later', nextAt },
      { ...row, key: 'failed', nextAt, attempt: 2, lastError: 'SECRET error' },
      { ...row, key: 'held', nextAt, isHeld: true },
    ])
    const reply = await ask()
    expect((reply.body as CurrentWork).queues.find(({ queue }) => queue === 'probe')).toEqual({
      ...{ queue: 'probe', due: 0, later: 2, failing: 1, held: 1, oldestDueAt: null },
    })
    expect(reply.text).not.toContain('SECRET')
  })

  test('the database tells what it is at: on a server who waits for whom', async () => {
    const { database, processes } = await read()
    expect(database).toMatchObject({ kind, statements: [] })
    const own = { role: 'all', version: readVersion().version, isLive: true, runs: 0 }
    expect(processes).toMatchObject([{ ...own, poolSize: library.client.pool.options.max }])
    if (kind === 'embedded') return expect(database.connections).toBeNull()
    const { used = 0, allowed = 0 } = database.connections ?? {}
    expect(used).toBeGreaterThan(0)
    expect(allowed).toBeGreaterThanOrEqual(used)
    const { waits } = await library.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(4711)`)
      const waits = library.db.transaction((other) =>
        other.execute(sql`select pg_advisory_xact_lock(4711), 'SECRET'`),
      )
      await vi.waitFor(
        async () => {
          const { statements } = (await read()).database
          const holder = statements.find(({ isIdle }) => isIdle)
          const waiter = statements.find(({ isIdle }) => !isIdle)
          expect(holder?.text).toContain('select pg_advisory_xact_lock(4711)')
          expect(waiter).toMatchObject({ waitsFor: 'Lock: advisory', blockedBy: [holder?.pid] })
          expect(JSON.stringify(statements)).not.toContain('SECRET')
        },
        { interval: 200 },
      )
      return { waits }
    })
    await waits
  })
})
