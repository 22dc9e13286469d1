import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/statements/executor.ts'
import { preparePlain } from '../../../database/statements/plain-statement.ts'

/** What one process takes in advance. */
const STOCK = 64

/**
 * Prepared: takes ids for runs that are about to be recorded, so that they can be named at once; in order of time.
 * `alone`: no other process is there whose runs could come between, so that it may take some in advance; a restart
 * leaves out those that were not used.
 */
export function prepareReserveRunIds(
  db: Database,
  { alone }: { alone: boolean },
): (wanted: unknown[]) => Promise<number[]> {
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
  const take = async (count: number) => (await reserve({ count })).map(({ id }) => id)
  const stock: number[] = []
  return async (wanted) => {
    if (!alone) return take(wanted.length)
    if (stock.length < wanted.length) stock.push(...(await take(STOCK)))
    return stock.splice(0, wanted.length)
  }
}
