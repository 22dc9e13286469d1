import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { writeBackupFile } from './backup-file.ts'
import { type BackupRequest, describeBackup } from './describe-backup.ts'
import { copyEmbedded } from './embedded-copy.ts'
import { packBackup } from './pack-backup.ts'

interface CopyOptions extends Omit<BackupRequest, 'reason'> {
  /** Has the one session of the embedded database. */
  client: pg.ClientBase
  directory: string
}

/** Writes a backup to `backups/before-migration-<n>.catenary` in the data directory, in the place of an earlier one. */
export async function copyBeforeMigration({ client, directory, ...request }: CopyOptions): Promise<void> {
  const backups = path.join(path.dirname(directory), 'backups')
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  const file = path.join(backups, `before-migration-${request.schema.applied}.catenary`)
  const about = await describeBackup({ client, kind: 'files', reason: 'before migration', ...request })
  const source = copyEmbedded({ directory, withSession: (use) => use(client) })
  await writeBackupFile({ file, bytes: packBackup({ about, source }) })
}
