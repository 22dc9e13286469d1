import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** For a text with more names, the database keeps the first ones in alphabetical order. */
const NAMES_KEPT = sql.raw('1000')

export function namesIn(referenceNames: SQLWrapper): SQL<string> {
  return sql<string>`unnest(${referenceNames})`
}

export function refersTo({ referenceNames, name }: { referenceNames: SQLWrapper; name: string }): SQL {
  return sql`${referenceNames} @> array[${name}]::text[]`
}

/** The same, or there may be a reference that is not kept. */
export function mayReferTo(reference: { referenceNames: SQLWrapper; name: string }): SQL {
  return sql`(${refersTo(reference)} or cardinality(${reference.referenceNames}) = ${NAMES_KEPT})`
}
