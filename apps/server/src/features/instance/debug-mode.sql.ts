import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { settings } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

const DEBUG_MODE = 'debug-mode'
const PROBE = 'probe'

export async function readDebugMode(db: Executor): Promise<boolean> {
  return z
    .boolean()
    .catch(false)
    .parse(await readSetting(db, DEBUG_MODE))
}

export async function writeDebugMode(db: Executor, enabled: boolean): Promise<void> {
  await writeSetting(db, { key: DEBUG_MODE, value: enabled })
}

export async function createProbe(db: Executor, id: string): Promise<void> {
  await writeSetting(db, { key: `${PROBE}:${id}`, value: true })
}

export async function existsProbe(db: Executor, id: string): Promise<boolean> {
  return (await readSetting(db, `${PROBE}:${id}`)) !== undefined
}

export async function deleteProbe(db: Executor, id: string): Promise<void> {
  await db.delete(settings).where(eq(settings.key, `${PROBE}:${id}`))
}

export async function readServerVersion(db: Executor): Promise<string> {
  const { rows } = await db.execute<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  )
  return rows[0]?.version ?? ''
}

async function readSetting(db: Executor, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
  return row?.value
}

async function writeSetting(db: Executor, { key, value }: { key: string; value: unknown }): Promise<void> {
  const row = { value, updatedAt: new Date() }
  await db
    .insert(settings)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settings.key, set: row })
}
