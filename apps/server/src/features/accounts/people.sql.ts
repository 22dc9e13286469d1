import type { Role } from '@catenary/contracts'
import { and, asc, count, eq, gt, inArray, isNull, max, or, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import { sessions, usages, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { usageColumns } from '../../database/statements/usage-columns.ts'
import { accountColumns } from './accounts.sql.ts'

function selectUsers(db: Executor) {
  return db
    .select({
      ...accountColumns,
      createdAt: users.createdAt,
      lastSeenAt: max(sessions.updatedAt),
      usage: usageColumns,
    })
    .from(users)
    .innerJoin(usages, eq(usages.userId, users.id))
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .groupBy(users.id, usages.userId)
    .$dynamic()
}

export function listUserRows(
  db: Executor,
  { after = 0, limit }: { after?: number | undefined; limit: number },
) {
  return selectUsers(db).where(gt(users.id, after)).orderBy(asc(users.id)).limit(limit)
}

export async function findOptionalUser(db: Executor, id: number) {
  const [found] = await selectUsers(db).where(eq(users.id, id))
  return found
}

export async function countUsers(db: Executor): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(users)
  return counted?.count ?? 0
}

export function listAdmins(db: Executor) {
  return db.select(accountColumns).from(users).where(eq(users.role, 'admin'))
}

export async function updateUserRow(
  db: Executor,
  { id, role, disabled }: { id: number; role?: Role | undefined; disabled?: boolean | undefined },
): Promise<void> {
  const ban = disabled === undefined ? {} : { banned: disabled, banReason: null, banExpires: null }
  await db
    .update(users)
    .set({ role, ...ban, updatedAt: new Date() })
    .where(eq(users.id, id))
}

const person = { id: users.id, username: users.displayUsername }

const isDisabledNow = and(
  eq(users.banned, true),
  or(isNull(users.banExpires), gt(users.banExpires, sql`now()`)),
)

export function listPeopleNamed(db: Executor, { start, limit }: { start: string; limit: number }) {
  return db
    .select(person)
    .from(users)
    .where(and(sql`starts_with(${users.username}, ${start.toLowerCase()})`, sql`not (${isDisabledNow})`))
    .orderBy(asc(byLetters(users.username)))
    .limit(limit)
}

export function listUsersByUsername(db: Executor, usernames: string[]) {
  const wanted = usernames.map((username) => username.toLowerCase())
  return db.select(person).from(users).where(inArray(users.username, wanted))
}
