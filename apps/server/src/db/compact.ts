import type { DatabaseClient } from './client.ts'

/** Writes each table anew without the room of what was deleted; nobody uses a table meanwhile. Gives bytes before and after. */
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
    // The log of the writing is larger than what was written, until then.
    await client.query('checkpoint')
    return { before, after: await measure() }
  })
}
