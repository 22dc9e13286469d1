import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { runs } from '../../db/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'

describe.each(routeDatabaseKinds)('what goes on and what waits, in /metrics on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind, {}, { metrics: true, monthlyBudgetUsd: 5, chainRunsAtOnce: 1 })
    await library.app.start()
  })
  afterAll(() => library.close())

  const figuresNow = async () => {
    const { text } = await library.request({ url: '/metrics' })
    return new Map(
      text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : [line.split(' ') as [string, string]])),
    )
  }
  const figure = async (name: string) => Number((await figuresNow()).get(name))
  const ageRun = (id: number) =>
    library.db.update(runs).set({ executedAt: sql`now() - interval '100 seconds'` }).where(eq(runs.id, id))

  test('the longest-waiting run of a chain is told until a process takes it up', async () => {
    expect(await figure('chain_runs_waiting')).toBe(0)
    expect(await figure('chain_runs_oldest_waiting_seconds')).toBe(0)
    const chain = await library.buildChain(['one'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const first = await library.execute(chain.id)
    const second = await library.execute(chain.id)
    await ageRun(second)
    expect(await figure('chain_runs_waiting')).toBe(1)
    expect(await figure('chain_runs_oldest_waiting_seconds')).toBeGreaterThanOrEqual(100)
    await library.request({ method: 'POST', url: `/api/executions/${first}/cancel`, as: library.owner })
    await library.ended(second)
    expect(await figure('chain_runs_waiting')).toBe(0)
  })

  test('a run whose worker is gone is counted by the process that takes it over', async () => {
    const before = await figure('chain_run_takeovers_total')
    const chain = await library.buildChain(['one'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const lost = await library.execute(chain.id)
    await library.db
      .update(runs)
      .set({ attempt: sql`attempt + 1`, leaseUntil: new Date(Date.now() - 1_000) })
      .where(eq(runs.id, lost))
    await vi.waitFor(async () => expect(await figure('chain_run_takeovers_total')).toBe(before + 1), {
      timeout: 25_000,
      interval: 200,
    })
    expect((await library.ended(lost)).status).toBe('completed')
  })

  test('each process on the database counts, and none that has ended', async () => {
    expect(await figure('processes_live')).toBe(1)
    if (kind === 'embedded') return
    const databaseUrl = String(library.client.pool.options.connectionString)
    const elsewhere = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
    await elsewhere.listen({ channel: 'elsewhere', onNotify: () => {} })
    expect(await figure('processes_live')).toBe(2)
    await elsewhere.close()
    await vi.waitFor(async () => expect(await figure('processes_live')).toBe(1))
  })

  test('what the month leaves is told where there is a budget, and the room where the disk is ours', async () => {
    const figures = await figuresNow()
    expect(Number(figures.get('budget_month_left_usd'))).toBeGreaterThan(4)
    expect(figures.has('disk_free_bytes')).toBe(kind === 'embedded')
    if (kind === 'embedded') expect(Number(figures.get('disk_free_bytes'))).toBeGreaterThan(0)
  })
})
