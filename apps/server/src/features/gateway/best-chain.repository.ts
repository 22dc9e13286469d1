import { and, desc, eq, lt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Executor, Transaction } from '../../db/executor.ts'
import { apiTokens, bestChainSelections, chains, executions } from '../../db/schema/index.ts'
import { violatedConstraint } from '../../db/violated-constraint.ts'

export type NewSelection = Omit<typeof bestChainSelections.$inferInsert, 'id' | 'createdAt'>

/** Nothing happens where the token or the chain was deleted meanwhile: the call goes on. */
export async function createSelection(executor: Executor, selection: NewSelection): Promise<void> {
  try {
    await executor.insert(bestChainSelections).values(selection)
  } catch (error) {
    if (!violatedConstraint(error)?.endsWith('_fk')) throw error
  }
}

interface SelectionFilter {
  /** Whose tokens. */
  userId: number
  id?: number
  tokenId?: number | undefined
  before?: number | undefined
  limit: number
}

const corrected = alias(chains, 'corrected')

/** Newest first; a run that is gone is none. */
export function listSelections(executor: Executor, { userId, limit, ...filter }: SelectionFilter) {
  const is = bestChainSelections
  return executor
    .select({
      selection: is,
      tokenName: apiTokens.name,
      runId: executions.id,
      correctedName: corrected.name,
    })
    .from(is)
    .innerJoin(apiTokens, eq(apiTokens.id, is.apiTokenId))
    .leftJoin(executions, eq(executions.id, is.executionId))
    .leftJoin(corrected, eq(corrected.id, is.correctedChainId))
    .where(
      and(
        eq(apiTokens.createdBy, userId),
        filter.id === undefined ? undefined : eq(is.id, filter.id),
        filter.tokenId === undefined ? undefined : eq(is.apiTokenId, filter.tokenId),
        filter.before === undefined ? undefined : lt(is.id, filter.before),
      ),
    )
    .orderBy(desc(is.id))
    .limit(limit)
}

export type SelectionRow = Awaited<ReturnType<typeof listSelections>>[number]

export async function correctSelection(
  tx: Transaction,
  { id, chainId }: { id: number; chainId: number },
): Promise<void> {
  await tx
    .update(bestChainSelections)
    .set({ correctedChainId: chainId })
    .where(eq(bestChainSelections.id, id))
}
