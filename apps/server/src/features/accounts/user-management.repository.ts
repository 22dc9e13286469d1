import type { Role } from '@catenary/contracts'
import { asc, count, eq, gt, max } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { sessions, usages, users } from '../../db/schema/index.ts'
import { usageColumns } from '../../db/sql/usage-columns.ts'

function selectUsers(executor: Executor) {
  return executor
    .select({
      id: users.id,
      username: users.displayUsername,
      email: users.email,
      role: users.role,
      banned: users.banned,
      banExpires: users.banExpires,
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

/** Oldest first, from after an id on. */
export function listUsers(
  executor: Executor,
  { after = 0, limit }: { after?: number | undefined; limit: number },
) {
  return selectUsers(executor).where(gt(users.id, after)).orderBy(asc(users.id)).limit(limit)
}

export async function findOptionalUser(executor: Executor, id: number) {
  const [found] = await selectUsers(executor).where(eq(users.id, id))
  return found
}

export async function countUsers(executor: Executor): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(users)
  return counted?.count ?? 0
}

/** Those with the role of an admin, disabled ones too. */
export function listAdmins(executor: Executor) {
  return executor
    .select({
      id: users.id,
      username: users.displayUsername,
      email: users.email,
      role: users.role,
      banned: users.banned,
      banExpires: users.banExpires,
    })
    .from(users)
    .where(eq(users.role, 'admin'))
}

/** Sets the role, and disables or enables the account; what is left out stays. */
export async function updateUser(
  executor: Executor,
  { id, role, disabled }: { id: number; role?: Role | undefined; disabled?: boolean | undefined },
): Promise<void> {
  const ban = disabled === undefined ? {} : { banned: disabled, banReason: null, banExpires: null }
  await executor
    .update(users)
    .set({ role, ...ban, updatedAt: new Date() })
    .where(eq(users.id, id))
}
