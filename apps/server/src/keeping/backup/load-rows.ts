import type { Readable } from 'node:stream'
import pg from 'pg'
import type { DatabaseClient } from '../../database/open/client.ts'
import {
  applyMigrations,
  checkEncoding,
  lockMigrations,
  type MigrationObserver,
} from '../../database/open/migrate.ts'
import type { SchemaNumber } from '../../database/open/schema-number.ts'
import { LIFT_LIMITS } from '../../database/server/role-limit.ts'
import type { Queryable } from '../../database/statements/queryable.ts'
import { StartError } from '../../errors.ts'
import { SEQUENCES_PART, tableOfPart } from './backup-format.ts'
import type { BackupPart, TableContent } from './backup-parts.ts'
import { readContents, requireSameContents } from './compare-tables.ts'
import { USE_TEXT_FORMS } from './row-lines.ts'
import { readBatches } from './row-parts.ts'
import {
  isWithoutTables,
  type RowsTable,
  readForeignKeys,
  readTables,
  readTriggers,
  type SequenceState,
  type Trigger,
  tableInSql,
} from './rows-catalog.ts'

/** Nothing else shortens an embedded database's log, which would grow by all that is loaded. */
const CHECKPOINT_CHARACTERS = 32_000_000
const ENABLING = { O: 'enable', A: 'enable always', R: 'enable replica', D: 'disable' } as const

interface LoadOptions {
  database: DatabaseClient
  schema: Pick<SchemaNumber, 'last'>
  /** `rows/…` in the order in which they were read, and the sequences; anything else is refused. */
  parts: AsyncIterable<Pick<BackupPart, 'name' | 'content'>>
  tables: () => Record<string, TableContent>
  onStage?: (stage: 'loaded' | 'compared') => void
  onMigration?: MigrationObserver | undefined
  migrationsFolder?: string | undefined
  beforeCommit?: (client: pg.ClientBase) => Promise<void>
}

/**
 * Loads rows into an empty database, in one transaction: the schema that they had, the rows, which are read again and
 * compared, then the migrations since. Whatever fails leaves it empty. Throws a StartError where the database is not
 * empty, or the copy is not what it says or of a version that this program does not know.
 */
export function loadRows({
  database,
  schema,
  parts,
  tables,
  onStage = () => {},
  onMigration,
  migrationsFolder,
  beforeCommit,
}: LoadOptions): Promise<void> {
  return database.withoutLimit(async (client) => {
    await client.query('begin')
    await client.query(LIFT_LIMITS)
    await lockMigrations(client)
    await checkEncoding(client)
    await requireEmpty(client)
    await applyMigrations({ client, after: 0, to: schema.last, migrationsFolder })
    await client.query(USE_TEXT_FORMS)
    const needsCheckpoints = database.kind === 'embedded'
    await withoutRules(client, () => loadParts({ client, parts, needsCheckpoints }))
    onStage('loaded')
    requireSameContents(tables(), await readContents(client))
    onStage('compared')
    await applyMigrations({ client, after: schema.last, migrationsFolder, onMigration })
    await beforeCommit?.(client)
    await client.query('commit')
  })
}

export async function requireEmpty(client: Queryable): Promise<void> {
  if (await isWithoutTables(client)) return
  throw new StartError(
    'That database already has tables. Use an empty one, such as a new "CREATE DATABASE" gives you.',
  )
}

/** Takes foreign keys and triggers out of the way, which an owner may do, and puts back what was there. */
async function withoutRules(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const [keys, triggers] = [await readForeignKeys(client), await readTriggers(client)]
  for (const { table, name } of keys) await client.query(dropConstraint(table, name))
  for (const trigger of triggers) await client.query(setTrigger({ ...trigger, enabled: 'D' }))
  // Migrations bring rows of their own.
  for (const { name } of await readTables(client)) await client.query(`delete from ${tableInSql(name)}`)
  await work()
  for (const { table, name, definition } of keys) {
    await client.query(
      `alter table ${tableInSql(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`,
    )
  }
  for (const trigger of triggers) await client.query(setTrigger(trigger))
}

const dropConstraint = (table: string, name: string) =>
  `alter table ${tableInSql(table)} drop constraint ${pg.escapeIdentifier(name)}`

const setTrigger = ({ table, name, enabled }: Trigger) =>
  `alter table ${tableInSql(table)} ${ENABLING[enabled]} trigger ${pg.escapeIdentifier(name)}`

interface LoadParts extends Pick<LoadOptions, 'parts'> {
  client: pg.ClientBase
  needsCheckpoints: boolean
}

async function loadParts({ client, parts, needsCheckpoints }: LoadParts): Promise<void> {
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]))
  let current: { table: string; insert: string } | undefined
  let characters = 0
  for await (const { name, content } of parts) {
    if (name === SEQUENCES_PART) {
      await setSequences(client, content)
      continue
    }
    const table = tables.get(tableOfPart(name) ?? '')
    if (table === undefined) throw new StartError(`The copy has an unexpected part: ${name}.`)
    for await (const lines of readBatches(content, name)) {
      let rows = lines
      if (current?.table !== table.name) {
        const [header = '', ...others] = lines
        current = { table: table.name, insert: insertStatement(table, header) }
        rows = others
      }
      if (rows.length === 0) continue
      const values = `[${rows.join(',')}]`
      await client.query(current.insert, [values])
      characters += values.length
      if (!needsCheckpoints || characters < CHECKPOINT_CHARACTERS) continue
      characters = 0
      await client.query('checkpoint')
    }
  }
}

function insertStatement({ name, columns }: RowsTable, header: string): string {
  const names = parseNames(header)
  const types = new Map(columns.map((column) => [column.name, column.type]))
  if (names.toSorted().join() !== [...types.keys()].toSorted().join()) {
    throw new StartError(`The copy’s columns of ${name} don’t match its version.`)
  }
  const values = names.map((column, place) => `(r->>${place})::${types.get(column)}`)
  return `insert into ${tableInSql(name)} (${names.map(pg.escapeIdentifier).join(', ')})
    overriding system value select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as r`
}

function parseNames(header: string): string[] {
  try {
    const names: unknown = JSON.parse(header)
    return Array.isArray(names) ? names.map(String) : []
  } catch {
    return []
  }
}

async function setSequences(client: pg.ClientBase, content: Readable | Buffer): Promise<void> {
  const chunks: Buffer[] = Buffer.isBuffer(content) ? [content] : await content.toArray()
  const states: SequenceState[] = JSON.parse(Buffer.concat(chunks).toString())
  for (const { name, last, isCalled } of states) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [tableInSql(name), last, isCalled])
  }
}
