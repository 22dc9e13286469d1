import type { DatabaseClient } from '../../database/open/client.ts'
import { isKnownSchema, migrate } from '../../database/open/migrate.ts'
import type { DatabaseLog } from '../../database/signals/database-log.ts'
import { backupsBeside, copyBeforeMigration } from './copy-before-migration.ts'
import { describeWayBack } from './way-back.ts'

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
