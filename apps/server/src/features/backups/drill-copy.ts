import { freemem } from 'node:os'
import path from 'node:path'
import type { BackupDrill } from '@catenary/contracts'
import { drillCopy } from '../../keeping/drill/drill-process.ts'
import type { Context } from '../../platform/context.ts'
import { describeFolder } from './backup-folder.ts'
import { findOptionalBackup, saveDrill } from './backups.sql.ts'
import { readDatabaseBytes } from './copies.sql.ts'
import { notifyAdmins } from './notify-admins.ts'

const TRIAL = 'drill'

/** On failure administrators are told. */
export async function drillBackup(
  ctx: Context,
  {
    id,
    directory,
    signal,
    freeMemory = readFreeMemory,
  }: {
    id: number
    directory: string
    signal: AbortSignal
    freeMemory?: () => number
  },
): Promise<void> {
  const { db, log, now, settings } = ctx
  const row = await findOptionalBackup(db, id)
  if (row === undefined || row.name === null) return
  const wanted = {
    file: path.join(directory, row.name),
    directory: path.join(settings.dataDir, TRIAL),
    now,
    signal,
  }
  const { secretKey, secretKeyAlso } = settings
  const drill =
    withoutMemory(ctx, freeMemory()) ??
    (await withoutRoom(ctx)) ??
    (await drillCopy({ ...wanted, secretKey, secretKeyAlso }))
  await saveDrill(db, { id, drill })
  const { problem, ms, rows } = drill
  if (problem === null) return log.info({ name: row.name, ms, rows }, 'a backup was restored on trial')
  log.error({ name: row.name, problem }, 'a backup could not be restored on trial')
  await notifyAdmins(ctx, { what: 'drill', copy: { ...row, drill }, problem })
}

const MEGABYTE = 1_000_000
/** The database goes on writing meanwhile. */
const SPARE_BYTES = 200 * MEGABYTE

async function withoutRoom({ database, now, settings }: Context): Promise<BackupDrill | undefined> {
  const { freeBytes } = await describeFolder(settings.dataDir, { database: database.directory })
  const needed = (await readDatabaseBytes(database)) + SPARE_BYTES
  if (freeBytes === null || freeBytes >= needed) return undefined
  return notTried(
    now(),
    `There is not enough space to test it: that takes ${inMegabytes(needed)} in ${settings.dataDir}, and ${inMegabytes(freeBytes)} are free`,
  )
}

/** Of the machine, and of what a container leaves to the program: the smaller. */
const readFreeMemory = (): number =>
  Math.min(freemem(), process.constrainedMemory() - process.memoryUsage.rss())

/** What the smallest trial takes. */
const TRIAL_MEMORY_BYTES = 200 * MEGABYTE

function withoutMemory({ now }: Context, free: number): BackupDrill | undefined {
  if (free >= TRIAL_MEMORY_BYTES) return undefined
  return notTried(
    now(),
    `There is not enough memory to test it: that takes at least ${inMegabytes(TRIAL_MEMORY_BYTES)}, and ${inMegabytes(free)} are free`,
  )
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE).toLocaleString('en')} MB`

function notTried(at: Date, problem: string): BackupDrill {
  return { state: 'failed', at: at.toISOString(), ms: 0, restoreMs: null, rows: null, stages: [], problem }
}
