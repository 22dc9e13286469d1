import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { DatabaseClient } from '../../database/open/client.ts'
import { isKnownSchema, migrate } from '../../database/open/migrate.ts'
import type { SchemaNumber } from '../../database/open/schema-number.ts'
import type { DatabaseLog } from '../../database/signals/database-log.ts'
import { StartError } from '../../errors.ts'
import { explainPlace } from '../../platform/place-failure.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import type { BackupAbout } from '../backup/backup-format.ts'
import { checkWhole, peekBackup } from '../backup/read-backup.ts'
import { withBackup } from '../backup/with-backup.ts'

interface UpgradeOptions {
  database: DatabaseClient
  /** A folder as drizzle-kit writes it. */
  migrationsFolder?: string
  /**
   * Where the copy is kept; absent: beside an embedded database, and none is made of a server. One that is there may
   * lead back from a newer version.
   */
  backups?: string | undefined
  /** Of the key that seals what is stored, for the copy; null: there is none yet. */
  keyFingerprint?: string | null
  log?: DatabaseLog | undefined
}

/**
 * Migrates the database as a start does: one with data is copied to `before-migration-<n>.catenary` first, where there is
 * a place for it, and a NewerSchemaError names the copy that leads back.
 */
export async function upgradeDatabase({
  database,
  migrationsFolder,
  backups,
  keyFingerprint = null,
  log,
}: UpgradeOptions): Promise<void> {
  const { directory } = database
  await migrate({
    database,
    migrationsFolder,
    beforeChange: async (client) => {
      const file = await copyBeforeMigration({ client, directory, backups, keyFingerprint })
      if (file !== undefined) log?.info({ file }, 'a backup was made before the upgrade')
      else log?.warn({}, 'no backup is made before this upgrade, as BACKUP_DIR is not set')
    },
    wayBack: () => {
      const folders = [
        ...(directory === null ? [] : [backupsBeside(directory)]),
        ...(backups ? [backups] : []),
      ]
      return describeWayBack({ directory, folders: [...new Set(folders)], isKnown: isKnownSchema })
    },
  })
}

interface CopyOptions {
  client: pg.PoolClient
  directory: string | null
  /** Where copies are kept; absent: `backups` in the data directory of an embedded database, nowhere for a server. */
  backups: string | undefined
  keyFingerprint: string | null
}

/**
 * Writes a backup to `before-migration-<n>.catenary`, in the place of an earlier one; its path, or undefined where there
 * is no place for it. Throws StartError.
 */
export async function copyBeforeMigration({
  client,
  directory,
  backups = directory === null ? undefined : backupsBeside(directory),
  keyFingerprint,
}: CopyOptions): Promise<string | undefined> {
  if (backups === undefined) return undefined
  makeFolder(backups)
  const database = {
    directory,
    pool: client,
    withoutLimit: <T>(use: (session: pg.PoolClient) => Promise<T>) => use(client),
  }
  return withBackup({ database, reason: 'before migration', keyFingerprint }, async (bytes, { schema }) => {
    const file = path.join(backups, `before-migration-${schema.applied}.catenary`)
    await writeBackupFile({ file, bytes })
    return file
  })
}

const backupsBeside = (directory: string): string => path.join(path.dirname(directory), 'backups')

function makeFolder(backups: string): void {
  try {
    mkdirSync(backups, { recursive: true, mode: 0o700 })
  } catch (error) {
    const explained = explainPlace(backups, error)
    if (explained instanceof StartError) throw explained
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `No backup can be made before the upgrade: ${why}. Check ${backups}, or set BACKUP_DIR.`,
    )
  }
}

interface WayBackOptions {
  directory: string | null
  folders: string[]
  isKnown: (schema: SchemaNumber) => boolean
}

const COPY = '.catenary'

/** What to do about a database of a newer program, in a sentence or two: which copy leads back, and how it is restored. */
async function describeWayBack({ directory, folders, isKnown }: WayBackOptions): Promise<string> {
  const copy = await findCopy({ directory, folders, isKnown })
  const places = folders.length === 0 ? '' : ` There is none in ${folders.join(' or ')}.`
  if (copy === undefined)
    return `Start that version, or restore a backup that was made before the upgrade.${places}`
  const { file, takenAt, program } = copy
  const place = directory === null ? 'set DATABASE_URL to an empty database' : `move ${directory} away`
  return (
    `Start that version. Or go back to ${file}, taken ${takenAt} by Catenary ${program}, ` +
    `without anything written since: ${place}, and run "catenary restore ${file}".`
  )
}

async function findCopy({
  directory,
  folders,
  isKnown,
}: WayBackOptions): Promise<(BackupAbout & { file: string }) | undefined> {
  const found: (BackupAbout & { file: string })[] = []
  for (const file of (await Promise.all(folders.map(listFiles))).flat()) {
    const about = await orUndefined(peekBackup(file))
    if (about === undefined || !isKnown(about.schema)) continue
    if (about.kind === 'files' && directory === null) continue
    found.push({ ...about, file })
  }
  const newestFirst = found.toSorted((a, b) => Date.parse(b.takenAt) - Date.parse(a.takenAt))
  for (const copy of newestFirst) if ((await orUndefined(checkWhole(copy.file))) !== undefined) return copy
  return undefined
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await orUndefined(readdir(folder))
  return (names ?? []).filter((name) => name.endsWith(COPY)).map((name) => path.join(folder, name))
}

/** Whatever can't be read leads nowhere, and must not hide why the program did not start. */
const orUndefined = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined)
