import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { byLetters } from '../../db/schema/columns.ts'
import { users } from '../../db/schema/index.ts'

const person = { id: users.id, username: users.displayUsername }

/** The rows that `isDisabled` is true of. */
const isDisabledNow = and(
  eq(users.banned, true),
  or(isNull(users.banExpires), gt(users.banExpires, sql`now()`)),
)

/** Active accounts whose username begins so, without regard to case, by username. */
export function searchUsers(executor: Executor, { start, limit }: { start: string; limit: number }) {
  return executor
    .select(person)
    .from(users)
    .where(and(sql`starts_with(${users.username}, ${start.toLowerCase()})`, sql`not (${isDisabledNow})`))
    .orderBy(asc(byLetters(users.username)))
    .limit(limit)
}

/** The accounts of those usernames, without regard to case; disabled ones too. */
export function listUsersByUsername(executor: Executor, usernames: string[]) {
  const wanted = usernames.map((username) => username.toLowerCase())
  return executor.select(person).from(users).where(inArray(users.username, wanted))
}
