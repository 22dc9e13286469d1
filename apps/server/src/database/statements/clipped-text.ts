import { LIST_TEXT_MAX } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The beginning of a text, as lists show it (D51): in characters, so that none is cut apart. */
export function clipOf(text: SQLWrapper): SQL<string> {
  return sql<string>`left(${text}, ${sql.raw(String(LIST_TEXT_MAX))})`
}

/** Whether lists show only the beginning of the text, told without reading a long text. */
export function isClipped(text: SQLWrapper): SQL<boolean> {
  const most = sql.raw(String(LIST_TEXT_MAX))
  return sql<boolean>`coalesce(
    case when octet_length(${text}) > 4 * ${most} then true else char_length(${text}) > ${most} end,
  false)`
}

const LIST_JSON_MAX_BYTES = sql.raw('4000')

/** Whether a JSON value is too long for a list; as it is stored, a long one may have shrunk to a hundredth. */
export function isLongJson(value: SQLWrapper): SQL<boolean> {
  return sql<boolean>`coalesce(
    case when pg_column_size(${value}) > ${LIST_JSON_MAX_BYTES} then true
    else octet_length(${value}::text) > ${LIST_JSON_MAX_BYTES} end,
  false)`
}
