import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { executions, scheduledOccurrences, scheduledRuns } from '../../db/schema/index.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const DUE = 1_000

describe('several processes on one database', () => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    // The process of the calls is one that does no work.
    library = await startScheduleLibrary('server', { settings: { role: 'web' } })
    await library.app.start()
  })
  afterAll(() => library.close())

  test('of a thousand occurrences that are due at once each starts once, whoever works', async () => {
    const chain = await library.buildChain(['Write.'])
    const made = await library.schedule(chain.id, { isRecurring: true, recurringType: 'daily' })
    await library.db.execute(sql`
      insert into scheduled_runs (chain_id, created_by, name, scheduled_time, time_zone, is_recurring, recurring_type, next_due_at)
      select chain_id, created_by, name, scheduled_time, time_zone, is_recurring, recurring_type, next_due_at
      from scheduled_runs, generate_series(2, ${DUE})`)
    await library.db.execute(sql`
      insert into jobs (queue, key, payload, run_at, next_at)
      select 'schedules', id || ':due', json_build_object('scheduleId', id, 'dueAt', ${made.nextRunAt}::text), next_due_at, next_due_at
      from scheduled_runs where id <> ${made.id}`)
    await library.pass(2 * 3_600_000)
    expect(await library.db.$count(scheduledOccurrences)).toBe(0)
    const workers = [
      await library.startProcess({ role: 'worker' }),
      await library.startProcess({ role: 'worker' }),
    ]
    await Promise.all(workers.map((worker) => worker.app.start()))
    await vi.waitFor(
      async () => {
        const done = sql`state = 'completed'`
        expect(await library.db.$count(scheduledOccurrences, done)).toBe(DUE)
      },
      { timeout: 120_000, interval: 200 },
    )
    expect(await library.db.$count(scheduledOccurrences)).toBe(DUE)
    expect(await library.db.$count(executions)).toBe(DUE)
    expect(library.sent()).toHaveLength(DUE)
    const planned = sql`next_due_at > ${library.now()}`
    expect(await library.db.$count(scheduledRuns, planned)).toBe(DUE)
    for (const worker of workers) await worker.close()
  }, 150_000)
})
