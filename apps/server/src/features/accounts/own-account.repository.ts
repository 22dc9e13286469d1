import type { Theme } from '@catenary/contracts'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { accounts, sessions, users } from '../../db/schema/index.ts'
import { PASSWORD_PROVIDER } from './accounts.policy.ts'

const settings = { theme: users.theme, timeZone: users.timeZone }

export async function findOptionalSettings(executor: Executor, userId: number) {
  const [found] = await executor.select(settings).from(users).where(eq(users.id, userId))
  return found
}

/** The settings after the change; undefined when the account is gone. */
export async function updateSettings(
  executor: Executor,
  { userId, ...change }: { userId: number; theme?: Theme | undefined; timeZone?: string | null | undefined },
) {
  const [updated] = await executor
    .update(users)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(users.id, userId))
    .returning(settings)
  return updated
}

/** Undefined for an account that signs in by other means only. */
export async function findOptionalPasswordHash(
  executor: Executor,
  userId: number,
): Promise<string | undefined> {
  const [found] = await executor
    .select({ password: accounts.password })
    .from(accounts)
    .where(isPasswordOf(userId))
  return found?.password ?? undefined
}

/** False when another change came first. */
export async function updatePasswordHash(
  executor: Executor,
  { userId, from, to }: { userId: number; from: string; to: string },
): Promise<boolean> {
  const { rowCount } = await executor
    .update(accounts)
    .set({ password: to, updatedAt: new Date() })
    .where(and(isPasswordOf(userId), eq(accounts.password, from)))
  return rowCount === 1
}

function isPasswordOf(userId: number) {
  return and(eq(accounts.userId, userId), eq(accounts.providerId, PASSWORD_PROVIDER))
}

/** Where the person is signed in at that time: the session of the token first, then the latest. */
export function listSessions(
  executor: Executor,
  { userId, token, now }: { userId: number; token: string; now: Date },
) {
  const current = sql<boolean>`${sessions.token} = ${token}`
  return executor
    .select({
      id: sessions.id,
      current,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.updatedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(current), desc(sessions.updatedAt), desc(sessions.id))
}

/** False when the person has no such session. */
export async function deleteSession(
  executor: Executor,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const { rowCount } = await executor
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
  return rowCount === 1
}

/** Ends all sessions of the person but the one of the token. */
export async function deleteSessionsOf(
  executor: Executor,
  { userId, exceptToken }: { userId: number; exceptToken?: string },
): Promise<void> {
  const others = exceptToken === undefined ? undefined : ne(sessions.token, exceptToken)
  await executor.delete(sessions).where(and(eq(sessions.userId, userId), others))
}
