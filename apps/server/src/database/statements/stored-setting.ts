import { type SQL, sql } from 'drizzle-orm'

export const RETENTION = 'retention'

/** How many hours keys are kept, as a part of a statement: all processes go by what is set now. */
export function keptKeyHours(fallback: number): SQL<number> {
  return sql<number>`coalesce(
    (select (value->>'keyHours')::integer from settings where key = ${RETENTION}), ${fallback}::integer
  )`
}
