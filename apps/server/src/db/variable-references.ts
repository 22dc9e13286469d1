import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The tokenizer's definition of a reference, for the database. */
const REFERENCE = String.raw`\$<([A-Za-z0-9_]+)>`

/** The names that a template refers to, a row each, as an array of one. */
export function referencesIn(template: SQLWrapper): SQL {
  return sql`regexp_matches(${template}, ${REFERENCE}, 'g')`
}

/** Whether a template refers to that name, which is in lower case. */
export function refersTo({ template, name }: { template: SQLWrapper; name: string }): SQL {
  return sql`exists (select 1 from ${referencesIn(template)} as reference (names) where lower(names[1]) = ${name})`
}
