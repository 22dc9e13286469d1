import type { Queryable } from '../statements/queryable.ts'

export interface SchemaNumber {
  applied: number
  last: number
}

/**
 * When migration 0000 was written, in ms: with the last of the 49 steps it replaces, which older databases record
 * singly.
 */
export const BASELINE = 1_795_744_629_351

export async function readSchemaNumber(client: Queryable): Promise<SchemaNumber> {
  const applied = await listApplied(client)
  return { applied: applied.length, last: Math.max(0, ...applied) }
}

/** When each of them was written, with the steps before the baseline counted as part of it. */
export async function listApplied(client: Queryable): Promise<number[]> {
  const { rows: tables } = await client.query(
    `select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  )
  if (tables.length === 0) return []
  const { rows } = await client.query('select created_at from drizzle.__drizzle_migrations')
  const all = rows.map((row) => Number(row.created_at))
  const known = all.filter((when) => !isBeforeBaseline(when))
  return known.length > 0 ? known : all
}

export const isBeforeBaseline = (last: number): boolean => last > 0 && last < BASELINE
