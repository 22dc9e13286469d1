import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { TABLE_RECORDS, TABLES, type TableName } from '../../database/schema/table-records.ts'
import { NOTE_NOTHING } from '../../database/statements/note-nothing.ts'
import type { DeletedRecord } from './deleted-records.ts'

export const DELETED_KINDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TABLE_RECORDS).flatMap(([name, { noted }]) =>
    noted === undefined ? [] : [[getTableName(TABLES[name as TableName]), noted]],
  ),
)

export const isTime = (column: string): boolean => column.endsWith('_at')

interface DeleteOptions {
  client: Pick<pg.ClientBase, 'query'>
  records: readonly DeletedRecord[]
  takenAt?: Date | undefined
}

export interface DeletedAgain {
  deleted: number
  kept: number
}

export async function deleteAgain({ client, records, takenAt }: DeleteOptions): Promise<DeletedAgain> {
  const sum = { deleted: 0, kept: 0 }
  await client.query(`select ${NOTE_NOTHING}`)
  for (const [kind, columns] of Object.entries(DELETED_KINDS)) {
    // Without the time at which it was made, an id may be that of a later one.
    const isCertain = columns.some(isTime)
    const keys = records
      .filter((each) => each.kind === kind && (isCertain || (takenAt !== undefined && each.time > takenAt)))
      .map(({ key }) => key)
    if (keys.length === 0) continue
    const { deleted, kept } = await deleteRows({ client, kind, columns, keys })
    sum.deleted += deleted
    sum.kept += kept
  }
  await client.query(`select set_config('catenary.unnoted', '', true)`)
  return sum
}

interface Rows {
  client: DeleteOptions['client']
  kind: string
  columns: readonly string[]
  keys: DeletedRecord['key'][]
}

const REFERRED_TO = '23503'

/** All at once, and where one of them is still needed, one by one. */
async function deleteRows({ keys, ...rows }: Rows): Promise<DeletedAgain> {
  const { client, kind, columns } = rows
  const typed = columns.map((name) => `${name} ${isTime(name) ? 'timestamptz' : 'integer'}`).join(', ')
  const isIt = columns.map((name) => `t.${name} = gone.${name}`).join(' and ')
  await client.query('savepoint deleting')
  try {
    const { rowCount } = await client.query(
      `delete from public.${kind} t using jsonb_to_recordset($1) as gone(${typed}) where ${isIt}`,
      [JSON.stringify(keys)],
    )
    await client.query('release savepoint deleting')
    return { deleted: rowCount ?? 0, kept: 0 }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== REFERRED_TO) throw error
    await client.query('rollback to savepoint deleting')
    if (keys.length === 1) return { deleted: 0, kept: 1 }
    const sum = { deleted: 0, kept: 0 }
    for (const key of keys) {
      const { deleted, kept } = await deleteRows({ ...rows, keys: [key] })
      sum.deleted += deleted
      sum.kept += kept
    }
    return sum
  }
}
