import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runs } from '../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'

describe.each(routeDatabaseKinds)(
  '`/metrics` tells the longest-waiting run and job, live processes, connections, runs taken over, mails that fail, what the month’s budget leaves and the room on the disk, of the whole installation, whichever process is asked. (%s)',
  (kind) => {
    let library: ChainLibrary
    beforeAll(async () => {
      library = await startChainLibrary(kind, {}, { metrics: true, monthlyBudgetUsd: 5, chainRunsAtOnce: 1 })
      await library.app.start()
    })
    afterAll(() => library.close())

    const figuresNow = async () => {
      const { text } = await library.request({ url: '/metrics' })
      return new Map(
        text
          .split('\n')
          .flatMap((line) => (line.startsWith('#') ? [] : [line.split(' ') as [string, string]])),
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
        interval: 200,
      })
      expect((await library.ended(lost)).status).toBe('completed')
    })

    test('each process on the database counts by its role, and none that has ended', async () => {
      const live = async () => {
        const figures = await figuresNow()
        return ['all', 'web', 'worker'].map((role) => Number(figures.get(`processes_live{role="${role}"}`)))
      }
      expect(await live()).toEqual([1, 0, 0])
      if (kind === 'embedded') return
      const elsewhere = await library.startProcess({ role: 'worker', metrics: false })
      await elsewhere.app.start()
      expect(await live()).toEqual([1, 0, 1])
      await elsewhere.close()
      expect(await live()).toEqual([1, 0, 0])
    })

    test('connections of a server are told: those in use, and how many there may be', async () => {
      const figures = await figuresNow()
      const names = ['database_connections_used', 'database_connections_allowed']
      if (kind === 'embedded') return expect(names.filter((name) => figures.has(name))).toEqual([])
      const [used = 0, allowed = 0] = names.map((name) => Number(figures.get(name)))
      expect(used).toBeGreaterThan(0)
      expect(allowed).toBeGreaterThan(used)
    })

    test('what the month leaves is told where there is a budget, and the room where the disk is ours', async () => {
      const figures = await figuresNow()
      expect(Number(figures.get('budget_month_left_usd'))).toBeGreaterThan(4)
      expect(figures.has('disk_free_bytes')).toBe(kind === 'embedded')
      if (kind === 'embedded') expect(Number(figures.get('disk_free_bytes'))).toBeGreaterThan(0)
    })
  },
)
