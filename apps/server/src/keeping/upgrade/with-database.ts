import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { findKeyFingerprint } from '../../platform/secrets/secret-key.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { upgradeDatabase } from './upgrade-database.ts'

export async function withDatabase<T>(use: (database: DatabaseClient) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const { embeddedFsync: fsync, backups } = settings
  const database = await openDatabase({ ...settings, fsync, backupDirectory: backups.directory })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/** The same, once it has this program's schema; it is copied before that as a start would do. */
export function withMigratedDatabase<T>(use: (database: DatabaseClient) => Promise<T>): Promise<T> {
  return withDatabase(async (database) => {
    const settings = readSettings()
    const keyFingerprint = await findKeyFingerprint(settings)
    await upgradeDatabase({ database, backups: settings.backups.directory, keyFingerprint })
    return use(database)
  })
}
