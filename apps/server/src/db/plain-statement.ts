import { is, Placeholder, type Query, sql } from 'drizzle-orm'
import type { Database } from './executor.ts'

/** The value of that name of the item that is the `index`-th of a plain statement. */
export function itemValue<Item>(name: keyof Item & string, index: number) {
  return sql`${sql.placeholder(`${name}_${index}`)}`
}

type Reader<Item> = (items: Item[]) => unknown

function readerOf<Item>(param: unknown): Reader<Item> {
  if (!is(param, Placeholder)) return () => param
  const [name, index] = param.name.split('_')
  return (items) => {
    const value = items[Number(index)]?.[name as keyof Item]
    if (value instanceof Date) return value.toISOString()
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  }
}

/**
 * For what is written most often: Drizzle writes the statement once for each number of items, and the driver alone
 * executes it, prepared under its name. Objects are sent as JSON; the rows are the driver's own.
 */
export function preparePlain<Item, Row extends object>({
  db,
  name,
  queryFor,
}: {
  db: Database
  name: string
  queryFor: (count: number) => { toSQL(): Query }
}): (items: Item[]) => Promise<Row[]> {
  const prepare = (count: number) => {
    const { sql: text, params } = queryFor(count).toSQL()
    return { name: `${name}_${count}`, text, readers: params.map(readerOf<Item>) }
  }
  const prepared = new Map<number, ReturnType<typeof prepare>>()
  return async (items) => {
    const statement = prepared.get(items.length) ?? prepare(items.length)
    prepared.set(items.length, statement)
    const { readers, ...query } = statement
    const { rows } = await db.$client.query<Row>({ ...query, values: readers.map((read) => read(items)) })
    return rows
  }
}
