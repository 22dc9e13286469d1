import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/statements/executor.ts'
import { preparePlain } from '../../../database/statements/plain-statement.ts'

/**
 * Prepared: takes ids for runs that are about to be recorded, so that they can be named at once. None is taken in
 * advance: others are counted as their rows are written, and lists of runs are in the order of ids.
 */
export function prepareReserveRunIds(db: Database): (wanted: unknown[]) => Promise<number[]> {
  const reserve = preparePlain<{ count: number }, { id: number }>({
    db,
    name: 'reserve_run_ids',
    query: db
      .select({ id: sql`nextval(pg_get_serial_sequence('executions', 'id'))::integer as id` })
      .from(sql`generate_series(1, ${sql.placeholder('count')}::integer)`),
    readerOf:
      () =>
      ({ count }) =>
        count,
  })
  return async (wanted) => (await reserve({ count: wanted.length })).map(({ id }) => id)
}
