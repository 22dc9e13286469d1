import type { Queryable } from './queryable.ts'

/** Which migrations a database has had: how many, and when the last of them was written, in milliseconds. */
export interface SchemaNumber {
  applied: number
  last: number
}

export async function readSchemaNumber(client: Queryable): Promise<SchemaNumber> {
  const applied = await listApplied(client)
  return { applied: applied.length, last: Math.max(0, ...applied) }
}

/** When each of them was written. */
export async function listApplied(client: Queryable): Promise<number[]> {
  const { rows: tables } = await client.query(
    `select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  )
  if (tables.length === 0) return []
  const { rows } = await client.query('select created_at from drizzle.__drizzle_migrations')
  return rows.map((row) => Number(row.created_at))
}
