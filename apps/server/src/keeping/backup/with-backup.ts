import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { DatabaseClient } from '../../database/open/client.ts'
import { readSchemaNumber, type SchemaNumber } from '../../database/open/schema-number.ts'
import type { Queryable } from '../../database/statements/queryable.ts'
import { describeVersion, readVersion } from '../../version.ts'
import { type BackupAbout, BackupFileError } from './backup-format.ts'
import type { BackupSource } from './backup-parts.ts'
import { copyEmbedded, sizeOfEmbedded } from './embedded-copy.ts'
import { packBackup } from './pack-backup.ts'
import { withRows } from './read-rows.ts'

export type BackedUpDatabase = Pick<DatabaseClient, 'directory' | 'withoutLimit'> & { pool: Queryable }

interface BackupOptions extends BackupRequest {
  database: BackedUpDatabase
  sealedKey?: Buffer | undefined
}

/**
 * Makes a backup of a database while it is used, and hands over its bytes, which are good until `use` has ended.
 * Throws BackupFileError where another is being made of an embedded one, or where there are no tables yet.
 */
export function withBackup<T>(
  { database, sealedKey, ...request }: BackupOptions,
  use: (bytes: Readable, about: BackupAbout) => Promise<T>,
): Promise<T> {
  return withSource(database, async (source, schema) => {
    const about = await describeBackup({ client: database.pool, kind: source.kind, schema, ...request })
    const bytes = packBackup({ about, source, sealedKey })
    try {
      return await use(bytes, about)
    } finally {
      await end(bytes)
    }
  })
}

/** Also ends one that was not read to its end, so that its source lets go of the database. */
async function end(bytes: Readable): Promise<void> {
  if (bytes.closed) return
  // Whoever gave up says why.
  const closed = once(bytes, 'close').catch(() => {})
  bytes.destroy()
  await closed
}

async function withSource<T>(
  { directory, withoutLimit, pool }: BackedUpDatabase,
  use: (source: BackupSource, schema: SchemaNumber) => Promise<T>,
): Promise<T> {
  const schema = await readSchemaNumber(pool)
  if (schema.applied === 0)
    throw new BackupFileError('There is nothing to copy: the database has no Catenary tables.')
  if (directory !== null) return use(copyEmbedded({ directory, withSession: withoutLimit }), schema)
  // Another process may have migrated it since.
  return withRows({ withoutLimit }, (source) => use(source, source.schema))
}

export async function estimateBytes({
  directory,
  pool,
}: Pick<BackedUpDatabase, 'directory' | 'pool'>): Promise<number> {
  if (directory !== null) return sizeOfEmbedded(directory)
  const { rows } = await pool.query('select pg_database_size(current_database()) as bytes')
  return Number(rows[0].bytes)
}

type BackupRequest = Pick<BackupAbout, 'keyFingerprint' | 'reason'>

async function describeBackup({
  client,
  kind,
  schema,
  keyFingerprint,
  reason,
}: BackupRequest & Pick<BackupAbout, 'kind' | 'schema'> & { client: Queryable }): Promise<BackupAbout> {
  const { rows } = await client.query('show server_version')
  return {
    format: 1,
    kind,
    program: describeVersion(readVersion()),
    schema,
    takenAt: new Date().toISOString(),
    reason,
    keyFingerprint,
    postgres: rows[0].server_version,
  }
}
