import { eq, sql } from 'drizzle-orm'
import { settings } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'

const DEBUG_MODE = 'debug-mode'
const PROBE = 'probe'

export async function readDebugMode(db: Executor): Promise<boolean> {
  return (await readSetting(db, DEBUG_MODE)) === true
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
