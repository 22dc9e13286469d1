import type { BackupReason } from '@catenary/contracts'
import type { DatabaseClient } from '../../database/open/client.ts'
import { checkTarget, writeBackupFile } from '../../keeping/backup/backup-file.ts'
import { requireOwnTables } from '../../keeping/backup/own-tables.ts'
import { openBackup, verifyBackup } from '../../keeping/backup/read-backup.ts'
import { estimateBytes, withBackup } from '../../keeping/backup/with-backup.ts'

export type CopiedDatabase = Pick<DatabaseClient, 'directory' | 'kind' | 'pool' | 'withoutLimit'>

interface NewCopy {
  database: CopiedDatabase
  file: string
  reason: BackupReason
  keyFingerprint: string
}

/**
 * Writes a copy of the database, if there is room for it; its size in bytes, and how many migrations it has. Throws
 * StartError, or what the disk says; then there is no such file.
 */
export async function writeCopy({ database, file, ...request }: NewCopy) {
  await requireOwnTables(database)
  checkTarget({ file, bytes: await estimateBytes(database) })
  return withBackup({ database, ...request }, async (content, { schema }) => {
    const bytes = await writeBackupFile({ file, bytes: content })
    return { bytes, schema: schema.applied }
  })
}

export const readDatabaseBytes = (database: CopiedDatabase): Promise<number> => estimateBytes(database)

export async function describeCopy(file: string) {
  const backup = await openBackup(file)
  await backup.close()
  return { ...backup.about, bytes: backup.bytes }
}

export async function verifyCopy(file: string) {
  const { bytes, manifest } = await verifyBackup(file)
  return { bytes, rows: manifest.rows, tables: Object.keys(manifest.tables).length }
}
