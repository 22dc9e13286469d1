import { type DatabaseClient, openDatabase } from '../db/client.ts'
import { readSettings } from '../settings.ts'

/** Opens the database of the settings for what a command does. Throws StartError, also while the program has it open. */
export async function withDatabase<T>(use: (database: DatabaseClient) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const database = await openDatabase({ ...settings, fsync: settings.embeddedFsync })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
