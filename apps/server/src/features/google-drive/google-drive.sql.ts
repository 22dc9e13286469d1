import { and, eq, sql } from 'drizzle-orm'
import { accounts, users, verifications } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

const PROVIDER = 'google-drive'

export interface StoredConnection {
  id: number
  email: string
  accessToken: string
  refreshToken: string
  accessTokenExpiresAt: Date
}

type SealedTokens = Pick<StoredConnection, 'accessToken' | 'refreshToken' | 'accessTokenExpiresAt'>

export async function createAttempt(
  db: Executor,
  attempt: { identifier: string; value: string; expiresAt: Date },
): Promise<void> {
  await db.insert(verifications).values(attempt)
}

export async function takeOptionalAttempt(db: Executor, identifier: string) {
  const [taken] = await db
    .delete(verifications)
    .where(eq(verifications.identifier, identifier))
    .returning({ value: verifications.value, expiresAt: verifications.expiresAt })
  return taken
}

export async function findOptionalConnection(
  db: Executor,
  userId: number,
): Promise<StoredConnection | undefined> {
  const [found] = await db
    .select({
      id: accounts.id,
      accountId: accounts.accountId,
      accessToken: accounts.accessToken,
      refreshToken: accounts.refreshToken,
      accessTokenExpiresAt: accounts.accessTokenExpiresAt,
    })
    .from(accounts)
    .where(isOf(userId))
  if (found === undefined) return undefined
  const { id, accountId, accessToken, refreshToken, accessTokenExpiresAt } = found
  if (accessToken === null || refreshToken === null || accessTokenExpiresAt === null) return undefined
  const email = accountId.slice(toAccountId({ userId, email: '' }).length)
  return { id, email, accessToken, refreshToken, accessTokenExpiresAt }
}

export async function replaceConnection(
  tx: Transaction,
  {
    userId,
    email,
    scope,
    ...tokens
  }: SealedTokens & {
    userId: number
    email: string
    scope: string
  },
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  await tx.delete(accounts).where(isOf(userId))
  const accountId = toAccountId({ userId, email })
  await tx.insert(accounts).values({ userId, providerId: PROVIDER, accountId, scope, ...tokens })
}

/** False when the tokens are no longer those that were used; re-sealing under another key changes nothing in that. */
export async function updateTokens(
  db: Executor,
  { id, from, ...tokens }: SealedTokens & { id: number; from: Date },
): Promise<boolean> {
  const { rowCount } = await db
    .update(accounts)
    .set({ ...tokens, updatedAt: sql`now()` })
    .where(and(eq(accounts.id, id), eq(accounts.accessTokenExpiresAt, from)))
  return rowCount === 1
}

export async function deleteConnection(
  tx: Transaction,
  { userId, expiresAt }: { userId: number; expiresAt?: Date },
): Promise<boolean> {
  const same = expiresAt === undefined ? undefined : eq(accounts.accessTokenExpiresAt, expiresAt)
  const { rowCount } = await tx.delete(accounts).where(and(isOf(userId), same))
  return rowCount !== 0
}

function isOf(userId: number) {
  return and(eq(accounts.userId, userId), eq(accounts.providerId, PROVIDER))
}

/** One Google account may serve several people, so the person is part of its id. */
function toAccountId({ userId, email }: { userId: number; email: string }): string {
  return `${userId}/${email}`
}
