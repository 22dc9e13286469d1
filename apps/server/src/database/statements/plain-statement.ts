import { is, Placeholder, type Query, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from './executor.ts'

/**
 * For hot statements: Drizzle builds the SQL once, and the driver executes it as a named prepared statement; without
 * a name the database plans it each time. `readerOf` returns the reader of a placeholder's value; values and rows are
 * the driver's own.
 */
export function preparePlain<Input, Row extends object>({
  db,
  name,
  query,
  readerOf,
}: {
  db: Database
  name?: string | undefined
  query: { toSQL(): Query }
  readerOf: (placeholder: string) => (input: Input) => unknown
}): (input: Input) => Promise<Row[]> {
  const { sql: text, params } = query.toSQL()
  const readers = params.map((param) => (is(param, Placeholder) ? readerOf(param.name) : () => param))
  return async (input) => {
    const values = readers.map((read) => read(input))
    const { rows } = await db.$client.query<Row>({ ...(name && { name }), text, values })
    return rows
  }
}

export function itemValue<Item>(name: keyof Item & string, index: number) {
  return sql`${sql.placeholder(`${name}_${index}`)}`
}

function readItemValue<Item>(placeholder: string): (items: Item[]) => unknown {
  const [name, index] = placeholder.split('_')
  return (items) => {
    const value = items[Number(index)]?.[name as keyof Item] ?? null
    if (value instanceof Date) return value.toISOString()
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  }
}

export const indexesOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

export function preparePlainForMany<Item, Row extends object>({
  db,
  name,
  queryFor,
}: {
  db: Database
  name: string
  queryFor: (count: number) => { toSQL(): Query }
}): (items: Item[]) => Promise<Row[]> {
  const prepare = (count: number) => {
    const query = queryFor(count)
    return preparePlain<Item[], Row>({ db, name: `${name}_${count}`, query, readerOf: readItemValue })
  }
  const prepared = new Map<number, ReturnType<typeof prepare>>()
  return (items) => {
    const execute = prepared.get(items.length) ?? prepare(items.length)
    prepared.set(items.length, execute)
    return execute(items)
  }
}

export function underKeys(columns: Record<string, SQLWrapper>): Record<string, SQL.Aliased> {
  const entries = Object.entries(columns).map(([key, column]) => [key, sql`${column}`.as(key)])
  return Object.fromEntries(entries)
}
