import { EVERYONE_ID, nameKey } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../database/statements/executor.ts'
import { groupsOf } from '../../database/statements/visible-rows.ts'

interface Named {
  people: readonly string[]
  groups: readonly string[]
  viewer: { id: number; role: string }
}

/** The first name of no account, or of no group that the person sees; undefined: there is none such. */
export async function findUnknownName(
  db: Executor,
  { people, groups, viewer }: Named,
): Promise<string | undefined> {
  const usernames = people.map((name) => name.toLowerCase())
  const { rows: found } = await db.execute<{ name: string }>(
    sql`select username as name from users where username = any(${sql.param(usernames)}::text[])`,
  )
  const keys = groups.map((name) => nameKey(name))
  const isSeen = sql`(${viewer.role === 'admin'}::boolean or id = ${EVERYONE_ID} or id = any(array(${groupsOf(viewer.id)})))`
  const { rows: seen } = await db.execute<{ name: string }>(
    sql`select name_key as name from groups where name_key = any(${sql.param(keys)}::text[]) and ${isSeen}`,
  )
  const known = (rows: { name: string }[], key: string | undefined) => rows.some(({ name }) => name === key)
  return (
    people.find((_, index) => !known(found, usernames[index])) ??
    groups.find((_, index) => !known(seen, keys[index]))
  )
}
