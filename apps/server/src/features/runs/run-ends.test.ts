import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../database/schema/index.ts'
import { jobs } from '../../database/schema/jobs.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { databaseKinds } from '../../testing/database.ts'
import { OWN_TEXTS_ONLY } from '../records/consent.ts'
import { startChainRun } from './chain-runs/start-run.ts'
import { onRunEnded, type RunEnded } from './run-ends.ts'

describe.each(databaseKinds)('the ends of runs that someone subscribed to, on %s', (kind) => {
  let library: ChainLibrary
  const notified: RunEnded[] = []
  /** How often the second subscriber still fails. */
  let failures = 0
  const secondNotified: RunEnded[] = []
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    const { ctx } = library.app
    onRunEnded(ctx, { subscriber: 'first', handle: async (ended) => void notified.push(ended) })
    onRunEnded(ctx, {
      subscriber: 'second',
      handle: async (ended) => {
        failures -= 1
        if (failures >= 0) throw new Error('not now')
        secondNotified.push(ended)
      },
    })
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => {
    library.fake.reset()
    notified.length = 0
    secondNotified.length = 0
  })

  const start = async ({
    steps = ['one', 'two {{a}}'],
    subscribers = { first: 'mine' } as Record<string, string>,
    as = library.owner,
  } = {}) => {
    const chain = await library.buildChain(steps, { sharedLevel: 'public' })
    const { user } = as
    return startChainRun(library.app.ctx, { user, allowed: OWN_TEXTS_ONLY, chainId: chain.id, subscribers })
  }
  const startStuck = async (options: Parameters<typeof start>[0] = {}) => {
    library.fake.reply({ text: ['half'], fault: 'silence' })
    const run = await start(options)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    return run
  }
  const call = (id: number, action: string) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/${action}`, as: library.owner })
  const remove = (url: string) => library.request({ method: 'DELETE', url, as: library.owner })
  /** As if the process that runs it had died some time ago. */
  const loseWorker = (id: number) =>
    library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, id))
  const expectNotified = (...expected: Partial<RunEnded>[]) =>
    vi.waitFor(() => expect(notified).toMatchObject(expected))
  const inSql = async (status: string) => {
    const { rows } = await library.db.execute<{ id: number }>(sql`
      insert into executions (kind, ends_with_process, user_id, status, subscribers, lease_until)
      values ('prompt', true, ${library.owner.user.id}, ${status}, '{"first": "mine"}', now() - interval '1 second')
      returning id`)
    return rows[0]?.id ?? 0
  }

  test('a run that completes: one notification with the subscriber’s reference', async () => {
    const { id } = await start()
    await expectNotified({ key: `${id}:1`, executionId: id, status: 'completed', reference: 'mine' })
    await vi.waitFor(async () =>
      expect(await library.db.$count(jobs, eq(jobs.queue, 'run-ended:first'))).toBe(0),
    )
    expect(notified).toHaveLength(1)
  })

  test('a run without subscribers leaves no row and wakes no one', async () => {
    const onNotify = vi.fn()
    const unlisten = await library.client.listen({ channel: 'catenary_jobs', onNotify })
    const chain = await library.buildChain(['one'])
    const id = await library.execute(chain.id)
    await library.ended(id)
    await remove(`/api/executions/${id}`)
    await library.db.execute(sql`select pg_notify('catenary_jobs', 'last')`)
    await vi.waitFor(() => expect(onNotify).toHaveBeenCalled())
    expect(onNotify.mock.calls).toEqual([['last']])
    await unlisten()
  })

  test('a run that fails, and ends again, under another key, once it was resumed', async () => {
    library.fake.reply({ status: 400 })
    const { id } = await start()
    await expectNotified({ key: `${id}:1`, status: 'failed' })
    await call(id, 'resume')
    await expectNotified({ key: `${id}:1` }, { key: `${id}:3`, status: 'completed', reference: 'mine' })
  })

  test('a run that has nothing left to do when it is resumed', async () => {
    library.fake.reply({ text: 'A' }, { status: 400 })
    const { id, chainId } = await start()
    await expectNotified({ status: 'failed' })
    const { steps } = (await library.request({ url: `/api/chains/${chainId}`, as: library.owner })).body as {
      steps: { id: number }[]
    }
    await remove(`/api/chains/${chainId}/steps/${steps[1]?.id}`)
    await call(id, 'resume')
    await expectNotified({ status: 'failed' }, { key: `${id}:2`, status: 'completed' })
  })

  test('a run that is stopped under way, or while it waits for a worker', async () => {
    const { id } = await startStuck()
    await call(id, 'cancel')
    await expectNotified({ key: `${id}:1`, status: 'cancelled' })
    notified.length = 0
    library.fake.reset()
    const { id: waiting } = await startStuck()
    await loseWorker(waiting)
    await call(waiting, 'cancel')
    await expectNotified({ key: `${waiting}:3`, status: 'cancelled' })
  })

  test('a run whose worker died, and which another one completes', async () => {
    const { id } = await startStuck()
    await loseWorker(id)
    const other = await library.startProcess()
    await expectNotified({ executionId: id, status: 'completed' })
    await other.close()
  })

  test('a run of an account that is disabled', async () => {
    const person = await library.registerUser()
    const { id } = await startStuck({ as: person })
    const url = `/api/admin/users/${person.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: library.admin })
    await expectNotified({ executionId: id, status: 'failed' })
  })

  test('a run that is deleted under way, by itself or with its chain', async () => {
    const { id } = await startStuck()
    await remove(`/api/executions/${id}`)
    await expectNotified({ executionId: id, status: 'deleted', reference: 'mine' })
    library.fake.reset()
    const { id: second, chainId } = await startStuck()
    await remove(`/api/chains/${chainId}`)
    await expectNotified({ executionId: id }, { executionId: second, status: 'deleted' })
    await call(second, 'cancel')
    expect(notified).toHaveLength(2)
  })

  test('a run of a prompt whose process died, and one that is recorded as it ends', async () => {
    const abandoned = await inSql('running')
    const other = await library.startProcess()
    await expectNotified({ executionId: abandoned, status: 'failed' })
    await other.close()
    const recorded = await inSql('completed')
    await expectNotified({ executionId: abandoned }, { executionId: recorded, status: 'completed' })
    await library.db.execute(
      sql`update executions set output = 'later', status = status where id = ${recorded}`,
    )
    await library.db.execute(sql`delete from executions where id in (${abandoned}, ${recorded})`)
    const last = await inSql('completed')
    await expectNotified({ executionId: abandoned }, { executionId: recorded }, { executionId: last })
  })

  test('an end that is rolled back is no end', async () => {
    const id = await inSql('completed')
    await expectNotified({ executionId: id })
    const rolledBack = library.db.transaction(async (tx) => {
      await tx.execute(sql`insert into executions (kind, user_id, status, subscribers)
        values ('prompt', ${library.owner.user.id}, 'completed', '{"first": "never"}')`)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const last = await inSql('completed')
    await expectNotified({ executionId: id }, { executionId: last })
  })

  test('subscribers are notified independently, and again after a failure', async () => {
    failures = 2
    const { id } = await start({ subscribers: { first: 'a', second: 'b' } })
    await expectNotified({ executionId: id, reference: 'a' })
    const expected = [{ key: `${id}:1`, executionId: id, status: 'completed', reference: 'b' }]
    await vi.waitFor(() => expect(secondNotified).toEqual(expected))
    expect(failures).toBe(-1)
    expect(notified).toHaveLength(1)
  })
})
