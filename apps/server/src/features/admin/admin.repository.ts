import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Executor } from '../../db/executor.ts'
import { auditEvents, settings } from '../../db/schema/index.ts'

const DEBUG_MODE = 'debug-mode'
const PROBE = 'probe'

export async function readDebugMode(executor: Executor): Promise<boolean> {
  return z
    .boolean()
    .catch(false)
    .parse(await readSetting(executor, DEBUG_MODE))
}

export async function setDebugMode(
  executor: Executor,
  { enabled, actorId }: { enabled: boolean; actorId: number },
): Promise<void> {
  await writeSetting(executor, { key: DEBUG_MODE, value: enabled })
  await executor
    .insert(auditEvents)
    .values({ actorId, action: 'instance.debug_mode_set', details: { enabled } })
}

/** A row that a check writes, sees and deletes. */
export async function createProbe(executor: Executor, id: string): Promise<void> {
  await writeSetting(executor, { key: `${PROBE}:${id}`, value: true })
}

export async function existsProbe(executor: Executor, id: string): Promise<boolean> {
  return (await readSetting(executor, `${PROBE}:${id}`)) !== undefined
}

export async function deleteProbe(executor: Executor, id: string): Promise<void> {
  await executor.delete(settings).where(eq(settings.key, `${PROBE}:${id}`))
}

/** Such as 18.6. */
export async function readServerVersion(executor: Executor): Promise<string> {
  const { rows } = await executor.execute<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  )
  return rows[0]?.version ?? ''
}

async function readSetting(executor: Executor, key: string): Promise<unknown> {
  const [row] = await executor.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
  return row?.value
}

async function writeSetting(
  executor: Executor,
  { key, value }: { key: string; value: unknown },
): Promise<void> {
  const row = { value, updatedAt: new Date() }
  await executor
    .insert(settings)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settings.key, set: row })
}
