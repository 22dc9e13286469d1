import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { DatabaseClient } from '../client.ts'
import { BackupFileError } from './backup-format.ts'
import type { BackupSource } from './backup-parts.ts'
import { type BackupRequest, describeBackup } from './describe-backup.ts'
import { copyEmbedded, sizeOfEmbedded } from './embedded-copy.ts'
import { packBackup } from './pack-backup.ts'

type BackedUpDatabase = Pick<DatabaseClient, 'directory' | 'withoutLimit'> & {
  pool: Pick<DatabaseClient['pool'], 'query'>
}

interface BackupOptions extends BackupRequest {
  database: BackedUpDatabase
  /** The key under a passphrase, to be kept in the file. */
  sealedKey?: Buffer | undefined
}

/** Makes a backup of a database while it is used, and hands over its bytes, which are good until `use` has ended. */
export function withBackup<T>(
  { database, sealedKey, ...request }: BackupOptions,
  use: (bytes: Readable) => Promise<T>,
): Promise<T> {
  return withSource(database, async (source) => {
    const about = await describeBackup({ client: database.pool, kind: source.kind, ...request })
    const bytes = packBackup({ about, source, sealedKey })
    try {
      return await use(bytes)
    } finally {
      await end(bytes)
    }
  })
}

/** Also of one that was not read to its end, whose source then takes leave of the database. */
async function end(bytes: Readable): Promise<void> {
  if (bytes.closed) return
  const closed = once(bytes, 'close')
  bytes.destroy()
  await closed
}

/** What a copy of this kind of database is made of. */
async function withSource<T>(
  { directory, withoutLimit }: BackedUpDatabase,
  use: (source: BackupSource) => Promise<T>,
): Promise<T> {
  if (directory !== null) return use(copyEmbedded({ directory, withSession: withoutLimit }))
  throw new BackupFileError('A backup of a PostgreSQL can’t be made yet. Use pg_dump.')
}

/** What a backup may take at most, in bytes. */
export async function estimateBytes({ directory, pool }: BackedUpDatabase): Promise<number> {
  if (directory !== null) return sizeOfEmbedded(directory)
  const { rows } = await pool.query('select pg_database_size(current_database()) as bytes')
  return Number(rows[0].bytes)
}
