import { COUNT_MAX, SCORES_LISTED } from '@catenary/contracts'
import { and, count, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import {
  apiTokens,
  bestChainSelections,
  chains,
  runs,
  type StoredScore,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'

export type NewSelection = Omit<typeof bestChainSelections.$inferInsert, 'id' | 'createdAt'>

export async function insertSelection(db: Executor, selection: NewSelection): Promise<void> {
  try {
    await db.insert(bestChainSelections).values(selection)
  } catch (error) {
    if (!violatedConstraint(error)?.endsWith('_fk')) throw error
  }
}

interface SelectionFilter {
  userId: number
  id?: number
  tokenId?: number | undefined
  before?: number
}

const corrected = alias(chains, 'corrected')

const is = bestChainSelections

function isSelection({ userId, id, tokenId, before }: SelectionFilter): SQL | undefined {
  return and(
    eq(is.userId, userId),
    id === undefined ? undefined : eq(is.id, id),
    tokenId === undefined ? undefined : eq(is.apiTokenId, tokenId),
    before === undefined ? undefined : lt(is.id, before),
  )
}

/** A run that is gone is none. */
function selectionsWith(db: Executor, scores: SQL<StoredScore[]> | typeof is.scores) {
  return db
    .select({
      selection: { ...getTableColumns(is), scores },
      scoresCount: sql<number>`jsonb_array_length(${is.scores})`,
      tokenName: sql<string>`coalesce(${apiTokens.name}, ${is.tokenName})`,
      runId: runs.id,
      correctedName: corrected.name,
    })
    .from(is)
    .leftJoin(apiTokens, eq(apiTokens.id, is.apiTokenId))
    .leftJoin(runs, eq(runs.id, is.executionId))
    .leftJoin(corrected, eq(corrected.id, is.correctedChainId))
    .$dynamic()
}

const firstScores = sql<StoredScore[]>`jsonb_path_query_array(
  ${is.scores}, '$[0 to ${sql.raw(String(SCORES_LISTED - 1))}]'
)`

export function listSelectionRows(db: Executor, { limit, ...filter }: SelectionFilter & { limit: number }) {
  return selectionsWith(db, firstScores).where(isSelection(filter)).orderBy(desc(is.id)).limit(limit)
}

export async function countSelections(db: Executor, filter: SelectionFilter): Promise<number> {
  const counted = db
    .select({ id: is.id })
    .from(is)
    .where(isSelection(filter))
    .limit(COUNT_MAX + 1)
    .as('counted')
  const [row] = await db.select({ count: count() }).from(counted)
  return row?.count ?? 0
}

export async function findOptionalSelection(db: Executor, filter: SelectionFilter & { id: number }) {
  const [found] = await selectionsWith(db, is.scores).where(isSelection(filter))
  return found
}

export type SelectionRow = Omit<Awaited<ReturnType<typeof listSelectionRows>>[number], 'scoresCount'>

export async function updateCorrection(
  db: Transaction,
  { id, chainId }: { id: number; chainId: number },
): Promise<void> {
  await db
    .update(bestChainSelections)
    .set({ correctedChainId: chainId })
    .where(eq(bestChainSelections.id, id))
}
