import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { runs, scheduledOccurrences, scheduledRuns } from '../../database/schema/index.ts'
import type { TestApp } from '../../testing/harness.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const HOUR = 3_600_000
/** A thousand of them take half a minute. */
const DUE = inject('everyDatabase') ? 1_000 : 150
const DUE_DURING_CUTS = inject('everyDatabase') ? 200 : 60

describe('several processes on one PostgreSQL', () => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    // The process of the calls is one that does no work.
    library = await startScheduleLibrary('server', { settings: { role: 'web' } })
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    await library.db.delete(scheduledRuns)
    await library.db.delete(runs)
    library.fake.reset()
  })

  /** Two workers, and so many schedules that are due at once. */
  async function makeDue(due: number): Promise<TestApp[]> {
    const made = await library.scheduleNew({ isRecurring: true, recurringType: 'daily' })
    await library.db.execute(sql`
      insert into scheduled_runs (chain_id, created_by, name, scheduled_time, time_zone, is_recurring, recurring_type, next_due_at)
      select chain_id, created_by, name, scheduled_time, time_zone, is_recurring, recurring_type, next_due_at
      from scheduled_runs, generate_series(2, ${due})`)
    await library.db.execute(sql`
      insert into jobs (queue, key, payload, run_at, next_at)
      select 'schedules', id || ':due', json_build_object('scheduleId', id, 'dueAt', ${made.nextRunAt}::text), next_due_at, next_due_at
      from scheduled_runs where id <> ${made.id}`)
    await library.pass(2 * HOUR)
    expect(await library.db.$count(scheduledOccurrences)).toBe(0)
    const workers = [
      await library.startProcess({ role: 'worker' }),
      await library.startProcess({ role: 'worker' }),
    ]
    await Promise.all(workers.map((worker) => worker.app.start()))
    return workers
  }

  const countCompleted = () => library.db.$count(scheduledOccurrences, sql`state = 'completed'`)
  const allCompleted = (due: number) =>
    vi.waitFor(async () => expect(await countCompleted()).toBe(due), { timeout: 120_000, interval: 200 })

  test('Each scheduled run is one row and starts at most once, however many workers there are (D36).', async () => {
    const workers = await makeDue(DUE)
    await allCompleted(DUE)
    expect(await library.db.$count(scheduledOccurrences)).toBe(DUE)
    expect(await library.db.$count(runs)).toBe(DUE)
    expect(library.sent()).toHaveLength(DUE)
    expect(await library.db.$count(scheduledRuns, sql`next_due_at > ${library.now()}`)).toBe(DUE)
    for (const worker of workers) await worker.close()
  }, 150_000)

  // Whatever was cut off in the middle waits half a minute until the leases expire.
  if (inject('everyDatabase')) {
    test('a database that cuts all its connections, again and again, costs no occurrence and doubles none', async () => {
      const workers = await makeDue(DUE_DURING_CUTS)
      const admin = new pg.Client({ connectionString: library.client.pool.options.connectionString })
      await admin.connect()
      for (const share of [0.1, 0.4, 0.7]) {
        await vi.waitFor(
          async () => expect(await countCompleted()).toBeGreaterThan(share * DUE_DURING_CUTS),
          {
            interval: 20,
          },
        )
        await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`)
      }
      await admin.end()
      const isOver = async () => {
        await library.wake()
        expect(await countCompleted()).toBe(DUE_DURING_CUTS)
      }
      await vi.waitFor(isOver, { timeout: 120_000, interval: 500 })
      expect(await library.db.$count(scheduledOccurrences)).toBe(DUE_DURING_CUTS)
      expect(await library.db.$count(runs)).toBe(DUE_DURING_CUTS)
      for (const worker of workers) await worker.close()
    }, 150_000)
  }
})
