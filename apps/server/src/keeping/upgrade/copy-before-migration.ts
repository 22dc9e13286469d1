import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { StartError } from '../../errors.ts'
import { explainPlace } from '../../platform/place-failure.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import { withBackup } from '../backup/with-backup.ts'

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

export const backupsBeside = (directory: string): string => path.join(path.dirname(directory), 'backups')

function makeFolder(backups: string): void {
  try {
    mkdirSync(backups, { recursive: true, mode: 0o700 })
  } catch (error) {
    const explained = explainPlace(backups, error)
    if (explained instanceof StartError) throw explained
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `No backup can be made before the upgrade: ${why}. See to ${backups}, or set BACKUP_DIR.`,
    )
  }
}
