import { is, Placeholder, type Query } from 'drizzle-orm'
import type { Database } from './executor.ts'

/**
 * For what runs most often: Drizzle writes the statement once, and the driver alone executes it, prepared under its name.
 * `readerOf` says how the value of a placeholder is read; values and rows are the driver's own.
 */
export function preparePlain<Input, Row extends object>({
  db,
  name,
  query,
  readerOf,
}: {
  db: Database
  name: string
  query: { toSQL(): Query }
  readerOf: (placeholder: string) => (input: Input) => unknown
}): (input: Input) => Promise<Row[]> {
  const { sql: text, params } = query.toSQL()
  const readers = params.map((param) => (is(param, Placeholder) ? readerOf(param.name) : () => param))
  return async (input) => {
    const values = readers.map((read) => read(input))
    const { rows } = await db.$client.query<Row>({ name, text, values })
    return rows
  }
}
