import type { DatabaseClient } from './client.ts'

/** Rewrites each table without the space of deleted rows, under an exclusive lock. Returns bytes before and after. */
export function compact({
  withoutLimit,
}: Pick<DatabaseClient, 'withoutLimit'>): Promise<{ before: number; after: number }> {
  return withoutLimit(async (client) => {
    const measure = async () => {
      const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes')
      return rows[0].bytes as number
    }
    const before = await measure()
    await client.query('vacuum (full, analyze)')
    // Until then, the write-ahead log of the rewrite is larger than the rewritten data.
    await client.query('checkpoint')
    return { before, after: await measure() }
  })
}
