import type { NamedBy } from '@catenary/contracts'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

export function namedByOf({
  namedBy,
  referenceNames,
}: {
  namedBy: AnyColumn
  referenceNames: AnyColumn
}): SQL<NamedBy> {
  return sql`(select coalesce(jsonb_object_agg(held, coalesce((${namedBy} ->> held)::integer, 0)), '{}')
    from unnest(${referenceNames}) as held)`
}

export function namedByCopyOf(
  { referenceNames }: { referenceNames: AnyColumn },
  userId: number,
): SQL<NamedBy> {
  return sql`(select coalesce(jsonb_object_agg(held, ${-userId}::integer), '{}') from unnest(${referenceNames}) as held)`
}
