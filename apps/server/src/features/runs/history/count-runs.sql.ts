import { COUNT_MAX } from '@catenary/contracts'
import { count, type SQL } from 'drizzle-orm'
import { runs } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

/** How many there are; one more than are counted where there are more. */
export async function countRuns(db: Executor, which: SQL | undefined): Promise<number> {
  const found = db
    .select({ id: runs.id })
    .from(runs)
    .where(which)
    .limit(COUNT_MAX + 1)
    .as('runs')
  const [counted] = await db.select({ count: count() }).from(found)
  return counted?.count ?? 0
}
