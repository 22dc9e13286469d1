import { and, eq, inArray, sql } from 'drizzle-orm'
import { apiTokenUses } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'

export interface TokenUse {
  calls: number
  savedCalls: number
  inputTokens: number
  outputTokens: number
  costNanos: number
  lastUsed: Date
  lastClient: string | null
  lastError: string | null
  lastErrorCode: string | null
  lastErrorAt: Date | null
}

/** Adds to what is known of a token's month; nothing happens where the token is gone. */
export async function upsertTokenUse(
  db: Executor,
  { tokenId, month, ...use }: TokenUse & { tokenId: number; month: string },
): Promise<void> {
  const added = (name: 'calls' | 'savedCalls' | 'inputTokens' | 'outputTokens' | 'costNanos') =>
    sql`${apiTokenUses[name]} + ${use[name]}`
  const failed = use.lastErrorAt === null ? {} : pickError(use)
  try {
    await db
      .insert(apiTokenUses)
      .values({ apiTokenId: tokenId, month, ...use })
      .onConflictDoUpdate({
        target: [apiTokenUses.apiTokenId, apiTokenUses.month],
        set: {
          ...failed,
          calls: added('calls'),
          savedCalls: added('savedCalls'),
          inputTokens: added('inputTokens'),
          outputTokens: added('outputTokens'),
          costNanos: added('costNanos'),
          lastClient: sql`coalesce(excluded.last_client, ${apiTokenUses.lastClient})`,
          lastUsed: sql`greatest(${apiTokenUses.lastUsed}, excluded.last_used)`,
        },
      })
  } catch (error) {
    if (violatedConstraint(error) !== 'api_token_uses_api_token_id_api_tokens_id_fk') throw error
  }
}

const pickError = ({ lastError, lastErrorCode, lastErrorAt }: TokenUse) => ({
  lastError,
  lastErrorCode,
  lastErrorAt,
})

export function listTokenUses(db: Executor, tokenIds: number[]) {
  return db.select().from(apiTokenUses).where(inArray(apiTokenUses.apiTokenId, tokenIds))
}

export async function findMonthCost(
  db: Executor,
  { tokenId, month }: { tokenId: number; month: string },
): Promise<number> {
  const [found] = await db
    .select({ costNanos: apiTokenUses.costNanos })
    .from(apiTokenUses)
    .where(and(eq(apiTokenUses.apiTokenId, tokenId), eq(apiTokenUses.month, month)))
  return found?.costNanos ?? 0
}
