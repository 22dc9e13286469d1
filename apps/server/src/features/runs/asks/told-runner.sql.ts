import type { Role } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import { users } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

/** Undefined where the account is disabled. */
export async function findToldRunner(db: Executor, userId: number) {
  const { id, displayUsername: username, email, role, notifications, banned } = users
  const [found] = await db
    .select({ id, username, email, role, notifications })
    .from(users)
    .where(and(eq(id, userId), eq(banned, false)))
  return found && { ...found, role: found.role as Role }
}
