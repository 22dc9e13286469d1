import { sql } from 'drizzle-orm'
import { settings } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

/** Fails unless the database answers, has our tables and takes writes, which a standby does not. */
export async function checkThatItWrites(db: Executor): Promise<void> {
  const { rows } = await db.execute<{ read_only: string }>(
    sql`select current_setting('transaction_read_only') as read_only, exists (select from ${settings})`,
  )
  if (rows[0]?.read_only !== 'off') throw new Error('the database only reads')
}
