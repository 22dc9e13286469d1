import type pg from 'pg'
import type { DatabaseClient } from '../../database/open/client.ts'
import { readSchemaNumber, type SchemaNumber } from '../../database/open/schema-number.ts'
import { LIFT_LIMITS } from '../../database/server/role-limit.ts'
import { SEQUENCES_PART } from './backup-format.ts'
import type { BackupPart, BackupSource, TableContent } from './backup-parts.ts'
import { TableDigest } from './compare-tables.ts'
import { readLines, USE_TEXT_FORMS } from './row-lines.ts'
import { type RowsTable, readSequences, readTables, tableInSql } from './rows-catalog.ts'

const PART_BYTES = 1_000_000
const NUMBER_DIGITS = 6

export interface RowsSource extends BackupSource {
  kind: 'rows'
  schema: SchemaNumber
}

/** `access share` lets others write; `share row exclusive` lets them only read, until the transaction ends. */
type Lock = 'access share' | 'share row exclusive'

export function withRows<T>(
  { withoutLimit }: Pick<DatabaseClient, 'withoutLimit'>,
  use: (source: RowsSource) => Promise<T>,
): Promise<T> {
  return withoutLimit(async (client) => {
    await beginSnapshot(client, 'access share')
    const result = await use(await openRows(client))
    await client.query('commit')
    return result
  })
}

/**
 * Begins a transaction that sees one moment. The tables are locked before it: a migration would not only change them,
 * it may show them empty to a transaction that began earlier.
 */
export async function beginSnapshot(client: pg.ClientBase, lock: Lock): Promise<void> {
  const names = (await readTables(client)).map(({ name }) => name)
  await client.query('begin isolation level repeatable read')
  await client.query(LIFT_LIMITS)
  await client.query(
    `lock table ${['drizzle.__drizzle_migrations', ...names.map(tableInSql)].join(', ')} in ${lock} mode`,
  )
  await client.query(USE_TEXT_FORMS)
  const locked = (await readTables(client)).map(({ name }) => name)
  if (names.join() !== locked.join()) throw new Error('The tables changed while they were about to be read')
}

export async function openRows(client: pg.ClientBase): Promise<RowsSource> {
  const contents: Record<string, TableContent> = {}
  return {
    kind: 'rows',
    schema: await readSchemaNumber(client),
    parts: readParts(client, contents),
    tables: () => contents,
  }
}

async function* readParts(
  client: pg.ClientBase,
  contents: Record<string, TableContent>,
): AsyncGenerator<BackupPart> {
  for (const table of await readTables(client)) yield* readTable({ client, table, contents })
  // Not part of the moment: later values are greater, and leave a gap at most.
  const content = Buffer.from(`${JSON.stringify(await readSequences(client))}\n`)
  yield { name: SEQUENCES_PART, size: content.length, content }
}

interface ReadTable {
  client: pg.ClientBase
  table: RowsTable
  contents: Record<string, TableContent>
}

async function* readTable({ client, table, contents }: ReadTable): AsyncGenerator<BackupPart> {
  const digest = new TableDigest()
  let number = 0
  let pending = [Buffer.from(`${JSON.stringify(table.columns.map(({ name }) => name))}\n`)]
  let bytes = 0
  const part = (): BackupPart => {
    number += 1
    const content = Buffer.concat(pending)
    pending = []
    bytes = 0
    const name = `rows/${table.name}/${String(number).padStart(NUMBER_DIGITS, '0')}.jsonl`
    return { name, size: content.length, content }
  }
  for await (const lines of readLines(client, table)) {
    for (const line of lines) {
      digest.add(line)
      const written = Buffer.from(`${line}\n`)
      pending.push(written)
      bytes += written.length
      if (bytes >= PART_BYTES) yield part()
    }
  }
  if (pending.length > 0) yield part()
  contents[table.name] = digest.content()
}
