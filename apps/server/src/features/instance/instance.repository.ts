import { sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { settings } from '../../db/schema/index.ts'

/** Fails unless the database answers and has our tables. */
export async function readNothing(executor: Executor): Promise<void> {
  await executor.select({ one: sql`1` }).from(settings).limit(1)
}
