import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { daily, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'

const DAY_MS = 86_400_000

describe.each(routeDatabaseKinds)('a clock that was ahead, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())

  /** As if the time until the schedules are looked at again had passed. */
  const look = async () => {
    await library.db.execute(sql`update jobs set next_at = now() where queue = 'schedules-clock'`)
    await library.db.execute(sql`select pg_notify('catenary_jobs', '')`)
  }

  test('Once a clock that was ahead is set right, what recurs or was planned runs at its next time.', async () => {
    const made = await library.scheduleNew({ ...daily, emailRecipients: [] })
    await library.pass(5 * DAY_MS)
    await library.marks(made, [{ state: 'missed' }, {}, {}, { state: 'missed' }, { state: 'completed' }])
    const changed = await library.scheduleNew({ ...daily, scheduledTime: made.scheduledTime })
    // The clock of the database was ahead too.
    await library.db.execute(
      sql`update scheduled_runs set updated_at = updated_at + interval '5 days' where id = ${changed.id}`,
    )
    library.moveClock(-5 * DAY_MS)
    expect(Date.parse((await library.find(made)).nextRunAt ?? '')).toBeGreaterThan(Date.now() + 4 * DAY_MS)
    await look()
    await vi.waitFor(async () => {
      for (const schedule of [made, changed]) {
        const { nextRunAt } = await library.find(schedule)
        expect(Date.parse(nextRunAt ?? '')).toBeLessThan(Date.now() + DAY_MS)
      }
    })
    const { nextRunAt } = await library.find(made)
    await library.passNext(made)
    await vi.waitFor(async () => {
      const { occurrences } = await library.find(made)
      expect(occurrences.at(-1)).toMatchObject({ state: 'completed', scheduledFor: nextRunAt })
    })
  })
})
