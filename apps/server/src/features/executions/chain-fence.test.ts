import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Transaction } from '../../db/executor.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { staleStep } from '../../testing/stale-step.ts'
import { claimChainRun } from './leases.repository.ts'
import { prepareFinishLastSteps, prepareFinishSteps } from './step-ends.repository.ts'

describe.each(routeDatabaseKinds)('who may write a step on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  /** Leaves the run with a worker that nobody is, under the attempt 2, whose lease is over. */
  const loseWorker = async (id: number) => {
    const attempt = 2
    await library.db.update(executionSteps).set({ attempt }).where(eq(executionSteps.executionId, id))
    await library.db
      .update(executions)
      .set({ attempt, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(executions.id, id))
  }
  /** A run whose first model call is under way, and whose lease is over. */
  const startLostRun = async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    await loseWorker(id)
    const step = { ...staleStep, executionId: id, userId: library.owner.user.id, position: 0 }
    return { id, step }
  }
  /** Until so many other sessions wait for a lock; on the embedded database they wait for the one session. */
  const untilWaiting = async (tx: Transaction, count: number) => {
    if (kind === 'embedded') return
    // What a transaction sees of the others' activity stays as it first was, unless it is told to look anew.
    const waiting = sql`
      select pid from (select pg_stat_clear_snapshot()) as anew, pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await tx.execute(waiting)).rows).toHaveLength(count), 5_000)
  }
  const readSteps = (id: number) =>
    library.db
      .select({
        attempt: executionSteps.attempt,
        status: executionSteps.status,
        died: executionSteps.lostWorkers,
      })
      .from(executionSteps)
      .where(eq(executionSteps.executionId, id))
      .orderBy(executionSteps.position)

  test('a worker that lost its run can write nothing any more: no step, no end', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const claim = { executionId: id, attempt: 1, userId: library.owner.user.id }
    await loseWorker(id)
    expect(await claimChainRun(library.db)).toEqual({ id, attempt: 3 })
    const finishSteps = prepareFinishSteps(library.db)
    const finishLastSteps = prepareFinishLastSteps(library.db)
    expect(await finishSteps([{ ...staleStep, ...claim, position: 0 }])).toEqual([undefined])
    expect(await finishLastSteps([{ ...staleStep, ...claim, position: 1 }])).toEqual([undefined])
    expect((await library.find(id)).steps.map(({ aiResponse }) => aiResponse)).toEqual([null, null])
    const held = { ...staleStep, ...claim, attempt: 3, position: 0 }
    // One that is lost takes no other along, and none gets the other's.
    const stale = { ...held, attempt: 2, aiResponse: 'staler' }
    expect(await finishSteps([stale, held])).toEqual([undefined, true])
    expect((await library.find(id)).steps[0]).toMatchObject({ status: 'completed', aiResponse: 'stale' })
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a late writer that meets a takeover under way waits for it, and changes nothing', async () => {
    const { id, step } = await startLostRun()
    const finishSteps = prepareFinishSteps(library.db)
    const late = await library.db.transaction(async (tx) => {
      expect(await claimChainRun(tx)).toEqual({ id, attempt: 3 })
      const written = finishSteps([{ ...step, attempt: 2 }])
      await untilWaiting(tx, 1)
      return { written }
    })
    expect(await late.written).toEqual([undefined])
    expect(await readSteps(id)).toEqual([
      { attempt: 3, status: 'waiting', died: 1 },
      { attempt: 3, status: 'waiting', died: 0 },
    ])
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a takeover that meets a write under way waits for it, and keeps the step; written again it is refused', async () => {
    const { id, step } = await startLostRun()
    const finishSteps = prepareFinishSteps(library.db)
    const { written, takeover } = await library.db.transaction(async (tx) => {
      await tx.select().from(executionSteps).where(eq(executionSteps.executionId, id)).for('update')
      const written = finishSteps([{ ...step, attempt: 2 }])
      await untilWaiting(tx, 1)
      const takeover = claimChainRun(library.db)
      await untilWaiting(tx, 2)
      return { written, takeover }
    })
    expect(await written).toEqual([true])
    expect(await takeover).toEqual({ id, attempt: 3 })
    expect(await readSteps(id)).toMatchObject([
      { attempt: 3, status: 'completed' },
      { attempt: 3, status: 'waiting' },
    ])
    const again = { ...step, attempt: 2, aiResponse: 'later' }
    expect(await finishSteps([again])).toEqual([undefined])
    expect((await library.find(id)).steps[0]).toMatchObject({ aiResponse: 'stale' })
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
  })

  test('a stop of a run that waits, and its resume, refuse the worker that had it', async () => {
    const { id, step } = await startLostRun()
    const finishSteps = prepareFinishSteps(library.db)
    const ask = (what: string) =>
      library.request({ method: 'POST', url: `/api/executions/${id}/${what}`, as: library.owner })
    expect((await ask('cancel')).body).toMatchObject({ status: 'cancelled' })
    expect(await finishSteps([{ ...step, attempt: 2 }])).toEqual([undefined])
    expect((await ask('resume')).status).toBeLessThan(300)
    expect(
      await finishSteps([
        { ...step, attempt: 2 },
        { ...step, attempt: 3 },
      ]),
    ).toEqual([undefined, undefined])
    expect((await library.ended(id)).status).toBe('completed')
  })
})
