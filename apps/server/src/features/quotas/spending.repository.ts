import { sql } from 'drizzle-orm'
import type { Database } from '../../db/executor.ts'
import { preparePlain } from '../../db/plain-statement.ts'
import { usageCalls, usageSlots } from '../../db/schema/index.ts'

interface SpentSince {
  userId: number
  /** ISO 8601. */
  since: string
}

/** Prepared: what a person's answers cost since then, and everyone's, in nano-dollars. */
export function prepareFindSpent(
  db: Database,
): (wanted: SpentSince) => Promise<{ person: number; everyone: number }> {
  const since = sql`${sql.placeholder('since')}::timestamptz`
  const userId = sql`${sql.placeholder('userId')}::integer`
  // As plain selects, so that each takes its own index: a person's runs are few among everyone's.
  const counted = (whose: ReturnType<typeof sql>) =>
    sql`(select coalesce(sum(cost_nanos), 0) from ${usageSlots} where user_id = ${whose} and at >= ${since})`
  const find = preparePlain<SpentSince, { person: number; everyone: number }>({
    db,
    name: 'find_spent',
    query: db
      .select({
        person: sql`(${counted(userId)} + (select coalesce(sum(cost_nanos), 0) from ${usageCalls}
          where user_id = ${userId} and at >= ${since}))::double precision as person`,
        everyone: sql`(${counted(sql`0`)} + (select coalesce(sum(cost_nanos), 0) from ${usageCalls}
          where at >= ${since}))::double precision as everyone`,
      })
      .from(sql`(select) as once`),
    readerOf: (name) => (wanted) => wanted[name as keyof SpentSince],
  })
  return async (wanted) => (await find(wanted))[0] ?? { person: 0, everyone: 0 }
}
