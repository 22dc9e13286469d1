import type { Role } from '@catenary/contracts'
import { and, asc, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import { accountAttempts, accounts, sessions, users, verifications } from '../../database/schema/index.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { preparePlain, underKeys } from '../../database/statements/plain-statement.ts'
import { PASSWORD_PROVIDER } from './accounts.policy.ts'

/** What better-auth reads and writes by itself, under its names. */
export const AUTH_TABLES = { user: users, session: sessions, account: accounts, verification: verifications }

export const accountColumns = {
  id: users.id,
  username: users.displayUsername,
  email: users.email,
  role: users.role,
  banned: users.banned,
  banExpires: users.banExpires,
}

export interface NewAccount {
  username: string
  email: string
  role: Role
  passwordHash: string
}

export interface AttemptSubject {
  kind: (typeof accountAttempts.$inferInsert)['kind']
  username: string
  network: string
}

interface SessionUser {
  sessionId: number
  id: number
  username: string
  email: string
  role: string
  banned: boolean
  banExpires: Date | null
  expiresAt: Date
}

/** Prepared: each request of a signed-in person asks. */
export function prepareFindSessionUser(db: Database): (token: string) => Promise<SessionUser | undefined> {
  const columns = {
    token: sessions.token,
    sessionId: sessions.id,
    ...accountColumns,
    expiresAt: sessions.expiresAt,
  }
  const list = preparePlain<string[], SessionUser & { token: string }>({
    db,
    name: 'list_session_users',
    query: db
      .select(underKeys(columns))
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(sql`${sessions.token} = any(${sql.placeholder('tokens')})`),
    readerOf: () => (tokens) => tokens,
  })
  return async (token) => (await list([token]))[0]
}

export async function lockAccounts(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${users} in share row exclusive mode`)
}

export async function existsAccount(db: Executor): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1)
  return rows.length > 0
}

export async function existsUsername(db: Executor, username: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.username, username.toLowerCase()))
  return rows.length > 0
}

export async function createAccount(
  db: Executor,
  { username, email, role, passwordHash }: NewAccount,
): Promise<number | undefined> {
  const [user] = await db
    .insert(users)
    .values({
      name: username,
      username: username.toLowerCase(),
      displayUsername: username,
      email: email.toLowerCase(),
      role,
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (user === undefined) return undefined
  await db.insert(accounts).values({
    userId: user.id,
    accountId: String(user.id),
    providerId: PASSWORD_PROVIDER,
    password: passwordHash,
  })
  return user.id
}

export async function findOptionalAccount(
  db: Executor,
  nameOrAddress: string,
): Promise<{ id: number; username: string } | undefined> {
  const wanted = nameOrAddress.toLowerCase()
  const [found] = await db
    .select({ id: users.id, username: users.displayUsername })
    .from(users)
    .where(or(eq(users.username, wanted), eq(users.email, wanted)))
  return found
}

/** Makes all others who count attempts of that network wait until this transaction ends. */
export async function lockAttempts(
  tx: Transaction,
  { kind, network }: Pick<AttemptSubject, 'kind' | 'network'>,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${kind}), hashtext(${network}))`)
}

export function listAttempts(
  db: Executor,
  { kind, network, since, until }: Pick<AttemptSubject, 'kind' | 'network'> & { since: Date; until: Date },
): Promise<{ username: string; createdAt: Date }[]> {
  return db
    .select({ username: accountAttempts.username, createdAt: accountAttempts.createdAt })
    .from(accountAttempts)
    .where(
      and(
        eq(accountAttempts.kind, kind),
        eq(accountAttempts.network, network),
        gt(accountAttempts.createdAt, since),
        lte(accountAttempts.createdAt, until),
      ),
    )
    .orderBy(asc(accountAttempts.createdAt))
}

export async function createAttempt(
  db: Executor,
  attempt: AttemptSubject & { createdAt: Date },
): Promise<{ id: number }> {
  const [created] = await db.insert(accountAttempts).values(attempt).returning({ id: accountAttempts.id })
  if (created === undefined) throw new Error('The attempt was not stored')
  return created
}

export async function deleteAttempt(db: Executor, id: number): Promise<void> {
  await db.delete(accountAttempts).where(eq(accountAttempts.id, id))
}

export async function deleteAttemptsOf(db: Executor, subject: AttemptSubject): Promise<void> {
  await db.delete(accountAttempts).where(isOf(subject))
}

function isOf({ kind, username, network }: AttemptSubject) {
  return and(
    eq(accountAttempts.kind, kind),
    eq(accountAttempts.network, network),
    eq(accountAttempts.username, username),
  )
}

/** Deletes sessions and verifications that ended before `now`, and attempts made before `attemptsSince`. */
export async function deleteExpired(
  db: Executor,
  { now, attemptsSince }: { now: Date; attemptsSince: Date },
): Promise<number> {
  const results = [
    await db.delete(sessions).where(lt(sessions.expiresAt, now)),
    await db.delete(verifications).where(lt(verifications.expiresAt, now)),
    await db.delete(accountAttempts).where(lt(accountAttempts.createdAt, attemptsSince)),
  ]
  return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
}
