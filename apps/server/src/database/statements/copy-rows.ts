import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './executor.ts'

export function columnParams(table: PgTable, values: Record<string, unknown>): Record<string, SQL> {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, sql`${sql.param(value, columns[name])}`]),
  )
}

/** Copies rows within the database: every column as it is but the given ones, with new ids and dates. Gives the ids. */
export async function copyRows<Table extends PgTable>(
  executor: Executor,
  {
    table,
    where,
    orderBy = [sql`id`],
    given,
  }: {
    table: Table
    where: SQL
    orderBy?: SQL[]
    given: { [Name in keyof Table['$inferInsert']]?: unknown }
  },
): Promise<number[]> {
  // Generated columns are generated again.
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name, { generated }]) => name !== 'id' && generated === undefined,
  )
  const copied = {
    ...Object.fromEntries<unknown>(columns),
    createdAt: sql`now()`,
    updatedAt: sql`now()`,
    ...given,
  }
  const all: Record<string, PgColumn> = getTableColumns(table)
  const names = Object.keys(copied).map((name) => {
    const { keyAsName = true, name: stored = name } = all[name] ?? {}
    return sql.identifier(keyAsName ? toSnakeCase(name) : stored)
  })
  const values = Object.values(copied).map((value) => sql`${value}`)
  const { rows } = await executor.execute<{ id: number }>(sql`
    insert into ${table} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} from ${table} where ${where} order by ${sql.join(orderBy, sql`, `)}
    returning id`)
  return rows.map(({ id }) => id)
}
