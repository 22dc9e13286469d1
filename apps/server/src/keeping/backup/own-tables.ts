import type { DatabaseClient } from '../../database/open/client.ts'
import { readMigrationState } from '../../database/open/migrate.ts'
import { OWN_TABLES } from '../../database/schema/table-records.ts'
import { StartError } from '../../errors.ts'
import { readTables } from './rows-catalog.ts'

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
