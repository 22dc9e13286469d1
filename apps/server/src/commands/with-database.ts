import { type DatabaseClient, openDatabase } from '../db/client.ts'
import { migrate } from '../db/migrate.ts'
import { findKeyFingerprint } from '../platform/secrets/secret-key.ts'
import { readSettings } from '../platform/settings/settings.ts'

/** Opens the database of the settings for what a command does. Throws StartError, also while the program has it open. */
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
    await migrate({ database, backups: settings.backups.directory, keyFingerprint })
    return use(database)
  })
}
