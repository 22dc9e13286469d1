import type pg from 'pg'
import type { DatabaseLog } from '../signals/database-log.ts'

interface MaintainedDatabase {
  pool: pg.Pool
  withoutLimit: <T>(run: (client: pg.PoolClient) => Promise<T>) => Promise<T>
}

const INTERVAL_MS = 5 * 60_000

const TABLES_DUE = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_all_tables
  where schemaname not in ('pg_toast', 'information_schema')
    and (n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup)`

/** A database without background processes: what the checkpointer and autovacuum do on a server. */
export async function maintain({ pool, withoutLimit }: MaintainedDatabase) {
  await withoutLimit((client) => client.query('checkpoint'))
  const { rows } = await pool.query(TABLES_DUE)
  // One by one, so that others' statements come between.
  for (const { name } of rows) await withoutLimit((client) => client.query(`vacuum (analyze) ${name}`))
}

export function startMaintenance({
  database,
  log,
}: {
  database: MaintainedDatabase
  log: DatabaseLog | undefined
}): () => void {
  let maintainedAt = ''
  const run = async () => {
    if ((await readPosition(database.pool)) === maintainedAt) return
    await maintain(database)
    maintainedAt = await readPosition(database.pool)
  }
  const timer = setInterval(() => {
    run().catch((error) => log?.warn({ err: error }, 'The maintenance of the embedded database failed'))
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function readPosition(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query('select pg_current_wal_insert_lsn() as position')
  return rows[0].position
}
