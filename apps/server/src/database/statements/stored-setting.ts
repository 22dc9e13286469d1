import { eq, type SQL, sql } from 'drizzle-orm'
import { settings } from '../schema/index.ts'
import type { Executor } from './executor.ts'

export const RETENTION = 'retention'

/** How many hours keys are kept, as a part of a statement: all processes go by what is set now. */
export function keptKeyHours(fallback: number): SQL<number> {
  return sql<number>`coalesce(
    (select (value->>'keyHours')::integer from settings where key = ${RETENTION}), ${fallback}::integer
  )`
}

/** Undefined where nothing is stored; whoever reads it says what form it has. */
export async function readSetting(db: Executor, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
  return row?.value
}

export async function writeSetting(
  db: Executor,
  { key, value }: { key: string; value: unknown },
): Promise<void> {
  const row = { value, updatedAt: new Date() }
  await db
    .insert(settings)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settings.key, set: row })
}
