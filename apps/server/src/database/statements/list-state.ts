import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { tags, users } from '../schema/index.ts'

const tagNames = namesIn(tags, tags)
const userNames = namesIn(users, { id: users.id, name: users.displayUsername })

/** Changes whenever the selected rows or a name that they show change: each write raises a row's revision. */
export function listState({ id, revision }: { id: SQLWrapper; revision: SQLWrapper }): SQL<string> {
  const parts = [sql`count(*)`, sql`bit_xor(${hashOf({ id, revision })})`, tagNames, userNames]
  return sql`concat_ws('.', ${sql.join(parts, sql`, `)})`
}

/** Of a row as it is. The revision seeds it: the halves of one number would be mixed into each other. */
export function hashOf({ id, revision }: { id: SQLWrapper; revision: SQLWrapper }): SQL<bigint> {
  return sql`hashint8extended(${id}, ${revision})`
}

function namesIn(table: SQLWrapper, { id, name }: { id: SQLWrapper; name: SQLWrapper }): SQL {
  return sql`(select bit_xor(hashtextextended(${id} || ' ' || ${name}, 0)) from ${table})`
}
