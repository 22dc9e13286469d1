import { and, eq, type GetColumnData, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database, Executor } from './executor.ts'

export interface SealedColumn {
  what: string
  id: PgColumn
  column: PgColumn
  beside: Record<string, PgColumn>
  contextOf(row: { id: number } & Record<string, unknown>, name: string): string
}

type Beside<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: GetColumnData<Columns[Name]>
}

export const sealedColumn = <Columns extends Record<string, PgColumn>>(
  column: Omit<SealedColumn, 'beside' | 'contextOf'> & {
    beside: Columns
    contextOf(row: { id: number } & Beside<Columns>, name: string): string
  },
): SealedColumn => column

export interface SealedRow extends Record<string, unknown> {
  id: number
  sealed: string | Record<string, string>
}

const SLICE_BYTES = 4_000_000

export async function listSealed(
  executor: Executor,
  { id, column, beside }: SealedColumn,
  { after, limit }: { after: number; limit: number },
): Promise<SealedRow[]> {
  const bytes = sql`octet_length(${column}::text)`
  const next = sql`(
    select id from (
      select id, sum(bytes) over (order by id) - bytes as before from (
        select ${id} as id, ${bytes} as bytes from ${column.table}
        where ${and(gt(id, after), hasValues(column))} order by ${id} limit ${limit}
      ) as sizes
    ) as slice where before < ${SLICE_BYTES}
  )`
  const rows = await executor
    .select({ ...beside, id, sealed: column })
    .from(column.table)
    .where(inArray(id, next))
    .orderBy(id)
  return rows as SealedRow[]
}

interface SealedChange {
  id: number
  from: SealedRow['sealed']
  to: SealedRow['sealed']
}

export function replaceSealed(
  db: Database,
  { id, column }: SealedColumn,
  changes: SealedChange[],
): Promise<number> {
  const type = sql.raw(column.getSQLType())
  const written = changes.map(({ from, to, ...row }) => ({ ...row, stored: toText(from), anew: toText(to) }))
  const given = sql`json_to_recordset(${JSON.stringify(written)}::json) as given(id integer, stored text, anew text)`
  return db.transaction(async (tx) => {
    // Sealing again may make a value longer; that does not count against the quota.
    await tx.execute(sql`select set_config('catenary.seals_anew', 'on', true)`)
    const { rowCount } = await tx
      .update(column.table)
      .set({ [column.name]: sql`given.anew::${type}` })
      .from(given)
      .where(and(eq(id, sql`given.id`), eq(column, sql`given.stored::${type}`)))
    return rowCount ?? 0
  })
}

const hasValues = (column: PgColumn): SQL => sql`${column}::text <> '{}'`
const toText = (sealed: SealedRow['sealed']): string =>
  typeof sealed === 'string' ? sealed : JSON.stringify(sealed)
