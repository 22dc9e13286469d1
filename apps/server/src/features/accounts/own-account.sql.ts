import type { NotificationFields, UpdateAccountRequest } from '@catenary/contracts'
import { and, count, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { accounts, sessions, users } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { PASSWORD_PROVIDER } from './accounts.policy.ts'

const settings = {
  theme: users.theme,
  timeZone: users.timeZone,
  defaultModel: users.defaultModel,
  notifications: users.notifications,
}

export async function findOptionalSettings(db: Executor, userId: number) {
  const [found] = await db.select(settings).from(users).where(eq(users.id, userId))
  return found
}

export async function updateSettings(
  db: Executor,
  {
    userId,
    ...change
  }: Omit<UpdateAccountRequest, 'notifications'> & { userId: number; notifications?: NotificationFields },
) {
  const [updated] = await db
    .update(users)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(users.id, userId))
    .returning(settings)
  return updated
}

/** Undefined for an account that signs in by other means only. */
export async function findOptionalPasswordHash(db: Executor, userId: number): Promise<string | undefined> {
  const [found] = await db.select({ password: accounts.password }).from(accounts).where(isPasswordOf(userId))
  return found?.password ?? undefined
}

/** False when another change than `from` came first, and for an account that signs in by other means only. */
export async function updatePasswordHash(
  db: Executor,
  { userId, from, to }: { userId: number; from?: string; to: string },
): Promise<boolean> {
  const { rowCount } = await db
    .update(accounts)
    .set({ password: to, updatedAt: new Date() })
    .where(and(isPasswordOf(userId), from === undefined ? undefined : eq(accounts.password, from)))
  return rowCount === 1
}

function isPasswordOf(userId: number) {
  return and(eq(accounts.userId, userId), eq(accounts.providerId, PASSWORD_PROVIDER))
}

interface SessionsOf {
  userId: number
  token: string
  now: Date
}

function isSessionOf({ userId, now }: SessionsOf) {
  return and(eq(sessions.userId, userId), gt(sessions.expiresAt, now))
}

export function listSessions(
  db: Executor,
  {
    after,
    limit,
    ...of
  }: SessionsOf & {
    after: { key: string; id: number } | undefined
    limit: number
  },
) {
  const current = sql<boolean>`${sessions.token} = ${of.token}`
  const isAfter =
    after &&
    sql`not ${current} and (${sessions.updatedAt}, ${sessions.id}) < (${after.key}::timestamptz, ${after.id}::integer)`
  return db
    .select({
      id: sessions.id,
      current,
      ipAddress: sessions.ipAddress,
      userAgent: sql<string | null>`${clipOf(sessions.userAgent)}`,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.updatedAt,
    })
    .from(sessions)
    .where(and(isSessionOf(of), isAfter))
    .orderBy(desc(current), desc(sessions.updatedAt), desc(sessions.id))
    .limit(limit)
}

export async function countSessions(db: Executor, of: SessionsOf): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(sessions).where(isSessionOf(of))
  return counted?.count ?? 0
}

export async function deleteSession(
  db: Executor,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const { rowCount } = await db.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
  return rowCount === 1
}

export async function deleteSessionsOf(
  db: Executor,
  { userId, exceptToken }: { userId: number; exceptToken?: string },
): Promise<void> {
  const others = exceptToken === undefined ? undefined : ne(sessions.token, exceptToken)
  await db.delete(sessions).where(and(eq(sessions.userId, userId), others))
}

/**
 * Ends the session of that token, and the person's sessions beyond `kept`: first those of the same client as the
 * newest, so that a script which signs in repeatedly ends its own, then the longest unused.
 */
export async function deleteReplacedSessions(
  db: Executor,
  { userId, earlierToken, kept }: { userId: number; earlierToken: string | undefined; kept: number },
): Promise<void> {
  const newest = db
    .select({ id: sessions.id, ipAddress: sessions.ipAddress, userAgent: sessions.userAgent })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .limit(1)
    .as('newest')
  const isOfSameClient = sql`(${sessions.ipAddress} is not distinct from ${newest.ipAddress} and
    ${sessions.userAgent} is not distinct from ${newest.userAgent})`
  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(newest, eq(sessions.userId, userId))
    .orderBy(desc(eq(sessions.id, newest.id)), isOfSameClient, desc(sessions.updatedAt), desc(sessions.id))
    .offset(kept)
  const earlier = earlierToken === undefined ? undefined : eq(sessions.token, earlierToken)
  await db.delete(sessions).where(or(inArray(sessions.id, surplus), earlier))
}
