import { sql } from 'drizzle-orm'
import type { Executor } from '../../../../db/executor.ts'

export async function sendNotification(
  executor: Executor,
  { channel, payload }: { channel: string; payload: string },
): Promise<void> {
  await executor.execute(sql`select pg_notify(${channel}, ${payload})`)
}
