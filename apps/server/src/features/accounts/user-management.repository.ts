import type { Role } from '@catenary/contracts'
import { asc, eq, max } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { sessions, users } from '../../db/schema/index.ts'

/** All accounts, or the one of the id, oldest first. */
export function listUsers(executor: Executor, { id }: { id?: number } = {}) {
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
    })
    .from(users)
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(id === undefined ? undefined : eq(users.id, id))
    .groupBy(users.id)
    .orderBy(asc(users.id))
}

/** Those with the role of an admin, disabled ones too. */
export function listAdmins(executor: Executor) {
  return executor
    .select({ id: users.id, role: users.role, banned: users.banned, banExpires: users.banExpires })
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
