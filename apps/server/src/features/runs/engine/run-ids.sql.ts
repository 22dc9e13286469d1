import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/statements/executor.ts'
import { preparePlain } from '../../../database/statements/plain-statement.ts'

/** What a process takes in advance; a restart leaves out those that were not used. */
const STOCK = 16

/**
 * Prepared: takes ids for runs that are about to be recorded, so that they can be named at once. Some are taken in
 * advance where the process is alone on its database, and all its runs take theirs here: lists are in the order of ids.
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
  const take = async (count: number) =>
    (await reserve({ count })).map(({ id }) => id).sort((one, other) => one - other)
  const stock: number[] = []
  return async (wanted) => {
    if (!alone) return take(wanted.length)
    const missing = wanted.length - stock.length
    if (missing > 0) stock.push(...(await take(Math.max(missing, STOCK))))
    return stock.splice(0, wanted.length)
  }
}
