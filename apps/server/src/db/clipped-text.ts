import { LIST_TEXT_MAX } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The beginning of a text, as lists show it (D51): in characters, so that none is cut apart. */
export function clipOf(text: SQLWrapper): SQL<string> {
  return sql<string>`left(${text}, ${sql.raw(String(LIST_TEXT_MAX))})`
}
