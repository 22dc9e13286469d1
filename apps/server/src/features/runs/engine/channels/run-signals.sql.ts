import { sql } from 'drizzle-orm'
import type { Executor } from '../../../../database/statements/executor.ts'

export async function sendNotification(
  db: Executor,
  { channel, payload }: { channel: string; payload: string },
): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`)
}
