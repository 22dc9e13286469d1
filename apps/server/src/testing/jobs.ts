import { eq, sql } from 'drizzle-orm'
import { afterEach } from 'vitest'
import type { DatabaseClient } from '../database/open/client.ts'
import { jobs as rows } from '../database/schema/jobs.ts'
import { createJobs, type Jobs, type JobsDatabase } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log/log.ts'

/** Processes with jobs on one database, which end with the test, and the rows of what waits there. */
export function useJobs(database: { readonly client: DatabaseClient }) {
  const log = createLog({ level: 'silent' })
  const open: Jobs[] = []
  afterEach(async () => {
    for (const jobs of open.splice(0)) await jobs.stop()
    await database.client.db.delete(rows)
  })

  return {
    create: (own: Partial<JobsDatabase> = {}): Jobs => {
      const jobs = createJobs({ database: { ...database.client, ...own }, log })
      open.push(jobs)
      return jobs
    },

    /** What waits or is under way, with how far off its next try is. */
    list: () =>
      database.client.db
        .select({
          key: rows.key,
          attempt: rows.attempt,
          isHeld: rows.isHeld,
          lastError: rows.lastError,
          secondsLeft: sql`extract(epoch from ${rows.nextAt} - now())`.mapWith(Number),
        })
        .from(rows)
        .orderBy(rows.id),

    /** As if the time until its next try, or its lease, had passed. */
    passTime: async (key: string): Promise<void> => {
      await database.client.db.update(rows).set({ nextAt: sql`now()` }).where(eq(rows.key, key))
      await database.client.db.execute(sql`select pg_notify('catenary_jobs', '')`)
    },
  }
}
