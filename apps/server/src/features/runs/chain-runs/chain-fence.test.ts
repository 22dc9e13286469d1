import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runSteps, runs } from '../../../database/schema/index.ts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { staleStep } from '../../../testing/stale-step.ts'
import { claimChainRuns } from '../engine/leases.sql.ts'
import { batchWrites } from '../engine/write-batches.ts'
import { prepareStoreLastSteps, prepareStoreSteps } from './step-ends.sql.ts'

describe.each(routeDatabaseKinds)('who may write a step on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  /** Leaves the run with a worker that does not exist, under attempt 2, with an expired lease. */
  const loseWorker = async (id: number) => {
    const attempt = 2
    await library.db
      .update(runs)
      .set({ attempt, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, id))
  }
  /** A run whose first model call is under way, and whose lease is over. */
  const startLostRun = async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    await loseWorker(id)
    return { id, end: { ...staleStep(0), executionId: id } }
  }
  /** Until so many other sessions wait for a lock; on the embedded database they wait for the one session. */
  const untilWaiting = async (tx: Transaction, count: number) => {
    if (kind === 'embedded') return
    // A transaction keeps its first snapshot of pg_stat_activity until it clears it.
    const waiting = sql`
      select pid from (select pg_stat_clear_snapshot()) as anew, pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await tx.execute(waiting)).rows).toHaveLength(count))
  }
  const readSteps = (id: number) =>
    library.db
      .select({
        attempt: runSteps.attempt,
        status: runSteps.status,
      })
      .from(runSteps)
      .where(eq(runSteps.executionId, id))
      .orderBy(runSteps.position)

  test('a worker that lost its run can write nothing any more: no step, no end', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const claim = { executionId: id, attempt: 1 }
    await loseWorker(id)
    expect(await claimChainRuns(library.db, {})).toMatchObject([{ id, attempt: 3 }])
    const storeSteps = prepareStoreSteps(library.db)
    const storeLastSteps = prepareStoreLastSteps(library.db)
    expect(await storeSteps([{ ...staleStep(0), ...claim }])).toEqual([false])
    expect(await storeLastSteps([{ ...staleStep(1), ...claim }])).toEqual([false])
    expect((await library.find(id)).steps.map(({ aiResponse }) => aiResponse)).toEqual([null, null])
    const held = { ...staleStep(0), ...claim, attempt: 3 }
    // A lost one does not fail the others, and none gets another's.
    const stale = { ...held, attempt: 2, aiResponse: 'staler' }
    const store = batchWrites(storeSteps, { size: 8 })
    const first = store({ ...held, step: { ...held.step, position: 7 } })
    expect(await Promise.all([first, store(stale), store(held)])).toEqual([true, false, true])
    expect((await library.find(id)).steps[0]).toMatchObject({ status: 'completed', aiResponse: 'stale' })
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a late writer that meets a takeover under way waits for it, and changes nothing', async () => {
    const { id, end } = await startLostRun()
    const storeSteps = prepareStoreSteps(library.db)
    const late = await library.db.transaction(async (tx) => {
      expect(await claimChainRuns(tx, {})).toMatchObject([{ id, attempt: 3 }])
      const written = storeSteps([{ ...end, attempt: 2 }])
      await untilWaiting(tx, 1)
      return { written }
    })
    expect(await late.written).toEqual([false])
    expect(await readSteps(id)).toEqual([])
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a takeover that meets a write under way waits for it, and keeps the step; written again it is refused', async () => {
    const { id, end } = await startLostRun()
    const storeSteps = prepareStoreSteps(library.db)
    const { takeover } = await library.db.transaction(async (tx) => {
      const stored = {
        executionId: id,
        attempt: 2,
        position: 0,
        status: 'completed',
        model: 'openai',
      } as const
      await tx.insert(runSteps).values({ ...stored, aiResponse: 'stale' })
      const takeover = claimChainRuns(library.db, {})
      await untilWaiting(tx, 1)
      return { takeover }
    })
    expect(await takeover).toMatchObject([{ id, attempt: 3 }])
    expect(await readSteps(id)).toEqual([{ attempt: 3, status: 'completed' }])
    const again = { ...end, attempt: 2, aiResponse: 'later' }
    expect(await storeSteps([again])).toEqual([false])
    expect((await library.find(id)).steps[0]).toMatchObject({ aiResponse: 'stale' })
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a step that is written again under the same claim stays as it was', async () => {
    const { id, end } = await startLostRun()
    const writers = [prepareStoreSteps(library.db), prepareStoreLastSteps(library.db)]
    for (const [position, store] of writers.entries()) {
      const step = { ...end.step, position }
      expect(await store([{ ...end, step, attempt: 2 }])).toEqual([true])
      expect(await store([{ ...end, step, attempt: 2, aiResponse: 'later' }])).toEqual([true])
      expect((await library.find(id)).steps[position]).toMatchObject({ aiResponse: 'stale' })
    }
    expect(await library.find(id)).toMatchObject({ status: 'completed', output: 'stale' })
  })

  test('a stop of a run that waits, and its resume, refuse the worker that had it', async () => {
    const { id, end } = await startLostRun()
    const storeSteps = prepareStoreSteps(library.db)
    const ask = (what: string) =>
      library.request({ method: 'POST', url: `/api/executions/${id}/${what}`, as: library.owner })
    expect((await ask('cancel')).body).toMatchObject({ status: 'cancelled' })
    expect(await storeSteps([{ ...end, attempt: 2 }])).toEqual([false])
    expect((await ask('resume')).status).toBeLessThan(300)
    for (const attempt of [2, 3]) expect(await storeSteps([{ ...end, attempt }])).toEqual([false])
    expect((await library.ended(id)).status).toBe('completed')
  })
})
