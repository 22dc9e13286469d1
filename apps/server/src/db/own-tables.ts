import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { StartError } from '../errors.ts'
import { readTables } from './backup/rows-catalog.ts'
import type { DatabaseClient } from './client.ts'
import { readMigrationState } from './migrate.ts'
import * as schema from './schema/index.ts'
import { jobs } from './schema/jobs.ts'

const OWN = new Set<string>(
  Object.values({ ...schema, jobs }).flatMap((value) => (is(value, PgTable) ? getTableName(value) : [])),
)

/**
 * Throws a StartError where someone else has tables among those of a PostgreSQL: a copy has all of them, and this
 * program could not restore it. One of another version is not looked at.
 */
export async function requireOwnTables({ kind, pool }: Pick<DatabaseClient, 'kind' | 'pool'>): Promise<void> {
  if (kind === 'embedded') return
  const { missing, unknown } = await readMigrationState(pool)
  if (missing + unknown > 0) return
  const names = (await readTables(pool)).map(({ name }) => name).filter((name) => !OWN.has(name))
  if (names.length === 0) return
  throw new StartError(
    `The database has tables that are not Catenary’s: ${names.join(', ')}. A copy with them could not be restored. ` +
      'Move them to a schema of their own with "ALTER TABLE … SET SCHEMA …".',
  )
}
