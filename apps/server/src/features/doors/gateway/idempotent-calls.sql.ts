import { and, eq, lt, sql } from 'drizzle-orm'
import { apiTokenCalls } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { keptKeyHours } from '../../../database/statements/stored-setting.ts'

export interface CallKey {
  tokenId: number
  key: string
}

const isCall = ({ tokenId, key }: CallKey) =>
  and(eq(apiTokenCalls.apiTokenId, tokenId), eq(apiTokenCalls.key, key))

/** False where the key was used before. */
export async function insertIdempotentCall(
  db: Executor,
  { tokenId, ...call }: CallKey & { fingerprint: string; executionId: number; chainId: number },
): Promise<boolean> {
  const { rowCount } = await db
    .insert(apiTokenCalls)
    .values({ apiTokenId: tokenId, ...call })
    .onConflictDoNothing()
  return rowCount === 1
}

export async function findOptionalIdempotentCall(db: Executor, call: CallKey) {
  const [found] = await db.select().from(apiTokenCalls).where(isCall(call))
  return found
}

export async function deleteIdempotentCall(
  db: Executor,
  { executionId, ...call }: CallKey & { executionId: number },
): Promise<void> {
  await db.delete(apiTokenCalls).where(and(isCall(call), eq(apiTokenCalls.executionId, executionId)))
}

export async function deleteOldIdempotentCalls(db: Executor, { hours }: { hours: number }): Promise<number> {
  const old = lt(apiTokenCalls.createdAt, sql`now() - make_interval(hours => ${keptKeyHours(hours)})`)
  const { rowCount } = await db.delete(apiTokenCalls).where(old)
  return rowCount ?? 0
}
