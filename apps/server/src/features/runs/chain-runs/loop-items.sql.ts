import type { InputSegment } from '@catenary/contracts'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { runItems, runs } from '../../../database/schema/index.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'
import { violatedConstraint } from '../../../database/statements/violated-constraint.ts'
import type { Claim } from './step-ends.sql.ts'

type Row = typeof runItems.$inferSelect
type Outcome = Omit<
  Row,
  'executionId' | 'position' | 'index' | 'attempt' | 'item' | 'isJson' | 'finishedAt' | 'retriedAt'
>

/** What of an item a run goes on with. */
export type KnownItem = Omit<
  Row,
  | ('executionId' | 'position' | 'attempt' | 'systemPrompt' | 'messages' | 'inputContent' | 'inputSegments')
  | ('structured' | 'startedAt' | 'finishedAt' | 'retriedAt')
>

export interface ItemEnd extends Outcome {
  position: number
  index: number
  status: 'completed' | 'failed' | 'cancelled'
  inputSegments: InputSegment[]
}

export interface NewItems extends Claim {
  position: number
  items: readonly { text: string; isJson: boolean }[]
  resolved: Row['resolved']
}

/** Written before the first of them is sent, once: another process goes on with the same list. False where it has the run by now. */
export async function insertItems(
  db: Executor,
  { executionId, attempt, position, items, resolved }: NewItems,
): Promise<boolean> {
  const texts = sql.param(items.map(({ text }) => text))
  const areJson = sql.param(items.map(({ isJson }) => isJson))
  try {
    await db.execute(sql`
      insert into ${runItems} (execution_id, position, index, attempt, item, is_json, resolved)
      select ${executionId}::integer, ${position}::integer, place - 1, ${attempt}::integer, item, is_json,
        ${JSON.stringify(resolved)}::jsonb
      from unnest(${texts}::text[], ${areJson}::boolean[]) with ordinality as listed(item, is_json, place)
      on conflict do nothing`)
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'execution_items_run') return false
    throw error
  }
}

/** An item of a step as it ends, under the run's attempt; false where another worker has the run by now. */
async function storeItem(
  db: Executor,
  { executionId, attempt, position, index, ...outcome }: Claim & ItemEnd,
): Promise<boolean> {
  const stored = await db
    .update(runItems)
    .set({ ...outcome, finishedAt: sql`now()` })
    .where(and(isOf({ executionId, position }), eq(runItems.index, index), eq(runItems.attempt, attempt)))
    .returning({ index: runItems.index })
  return stored.length > 0
}

/** Several in one commit. */
export async function storeItems(tx: Transaction, ends: (Claim & ItemEnd)[]): Promise<boolean[]> {
  const stored: boolean[] = []
  for (const end of ends) stored.push(await storeItem(tx, end))
  return stored
}

interface ItemsOfStep {
  executionId: number
  position: number
}

function isOf({ executionId, position }: ItemsOfStep) {
  return and(eq(runItems.executionId, executionId), eq(runItems.position, position))
}

export function listKnownItems(db: Executor, step: ItemsOfStep): Promise<KnownItem[]> {
  return db
    .select({
      index: runItems.index,
      status: runItems.status,
      item: runItems.item,
      isJson: runItems.isJson,
      resolved: runItems.resolved,
      provider: runItems.provider,
      modelId: runItems.modelId,
      fallback: runItems.fallback,
      finishReason: runItems.finishReason,
      aiResponse: runItems.aiResponse,
      error: runItems.error,
      errorCode: runItems.errorCode,
      skipReason: runItems.skipReason,
      retries: runItems.retries,
      limitWaitMs: runItems.limitWaitMs,
      inputTokens: runItems.inputTokens,
      outputTokens: runItems.outputTokens,
      cachedTokens: runItems.cachedTokens,
      costNanos: runItems.costNanos,
      savedNanos: runItems.savedNanos,
      firstTokenMs: runItems.firstTokenMs,
      durationMs: runItems.durationMs,
    })
    .from(runItems)
    .where(isOf(step))
    .orderBy(asc(runItems.index))
}

export async function countItems(db: Executor, executionId: number): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(runItems)
    .where(eq(runItems.executionId, executionId))
  return found?.count ?? 0
}

/** An item that ends is progress: processes that died before count no more. */
export async function forgetLostWorkers(db: Executor, { executionId, attempt }: Claim): Promise<void> {
  await db
    .update(runs)
    .set({ lostWorkers: 0 })
    .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt)))
}
