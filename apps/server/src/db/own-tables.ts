import { StartError } from '../errors.ts'
import { readTables } from './backup/rows-catalog.ts'
import type { DatabaseClient } from './client.ts'
import { readMigrationState } from './migrate.ts'
import { OWN_TABLES } from './table-records.ts'

/**
 * Throws a StartError where someone else has tables among those of a PostgreSQL: a copy has all of them, and this
 * program could not restore it. One of another version is not looked at.
 */
export async function requireOwnTables({ kind, pool }: Pick<DatabaseClient, 'kind' | 'pool'>): Promise<void> {
  if (kind === 'embedded') return
  const { missing, unknown } = await readMigrationState(pool)
  if (missing + unknown > 0) return
  const names = (await readTables(pool)).map(({ name }) => name).filter((name) => !OWN_TABLES.has(name))
  if (names.length === 0) return
  throw new StartError(
    `The database has tables that are not Catenary’s: ${names.join(', ')}. A copy with them could not be restored. ` +
      'Move them to a schema of their own with "ALTER TABLE … SET SCHEMA …".',
  )
}
