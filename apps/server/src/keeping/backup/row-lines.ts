import pg from 'pg'
import type { Queryable } from '../../database/statements/queryable.ts'
import { type RowsTable, tableInSql } from './rows-catalog.ts'

export const USE_TEXT_FORMS = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`

const ROWS_AT_ONCE = 32
/** After so much, the next rows come one by one: each may have a file of many megabytes. */
const MUCH_CHARACTERS = 1_000_000
const CURSOR = 'copied_rows'

/**
 * The rows of a table by its primary key, some at a time: each is a JSON array of its columns' text forms, null for
 * NULL, without a line's end. Reads in the transaction of `client`, which uses the text forms.
 */
export async function* readLines(client: Queryable, table: RowsTable): AsyncGenerator<string[]> {
  await client.query(`declare ${CURSOR} no scroll cursor for ${linesQuery(table)}`)
  let count = 1
  for (;;) {
    const { rows } = await client.query(`fetch ${count} from ${CURSOR}`)
    if (rows.length === 0) break
    const lines = rows.map(({ line }) => line as string)
    yield lines
    const characters = lines.reduce((sum, line) => sum + line.length, 0)
    count = characters > MUCH_CHARACTERS ? 1 : Math.min(count * 2, ROWS_AT_ONCE)
  }
  await client.query(`close ${CURSOR}`)
}

/** Ordered before the texts are made: a sort would otherwise write them all to disk. */
function linesQuery({ name, columns, key }: RowsTable): string {
  const texts = columns.map((column) => `${pg.escapeIdentifier(column.name)}::text`)
  const line = `json_build_array(${texts.join(', ')})::text`
  if (key.length === 0) {
    return `select line from (select ${line} as line from ${tableInSql(name)}) as made order by line collate "C"`
  }
  const order = key.map(
    (column) => `${pg.escapeIdentifier(column.name)}${column.isText ? ' collate "C"' : ''}`,
  )
  return `select ${line} as line from (select * from ${tableInSql(name)} order by ${order.join(', ')}) as ordered`
}
