import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  not,
  type SQL,
  sql,
} from 'drizzle-orm'
import { runItems } from '../../../database/schema/index.ts'
import { clipOf, isClipped } from '../../../database/statements/clipped-text.ts'
import type { Executor } from '../../../database/statements/executor.ts'

const ofRun = (executionId: number) => eq(runItems.executionId, executionId)
const isSkipped = isNotNull(runItems.skipReason)
const isCompleted = eq(runItems.status, 'completed')

const countOf = (which: SQL | undefined) => sql<number>`count(*) filter (where ${which})`.mapWith(Number)

export function countItemsOfSteps(
  db: Executor,
  { executionId, positions }: { executionId: number; positions: number[] },
) {
  return db
    .select({
      position: runItems.position,
      all: countOf(sql`true`),
      completed: countOf(and(isCompleted, isNull(runItems.skipReason))),
      skipped: countOf(isSkipped),
      failed: countOf(eq(runItems.status, 'failed')),
      retriedAt: max(runItems.retriedAt),
    })
    .from(runItems)
    .where(and(ofRun(executionId), inArray(runItems.position, positions)))
    .groupBy(runItems.position)
}

/** Of its call nobody knows whether it happened, and its runner is asked. */
const isUnsure = sql<boolean>`exists (
  select from asks where asks.execution_id = ${runItems.executionId} and asks.position = ${runItems.position}
    and asks.status = 'open' and asks.unsure -> 'item' = to_jsonb(${runItems.index})
)`

const { item, inputContent, aiResponse } = runItems
const listedColumns = {
  position: runItems.position,
  index: runItems.index,
  status: runItems.status,
  isUnsure,
  modelId: runItems.modelId,
  provider: runItems.provider,
  fallback: runItems.fallback,
  finishReason: runItems.finishReason,
  startedAt: runItems.startedAt,
  item: clipOf(item),
  inputContent: sql<string | null>`${clipOf(inputContent)}`,
  aiResponse: sql<string | null>`${clipOf(aiResponse)}`,
  isClipped: sql<boolean>`${isClipped(item)} or ${isClipped(inputContent)} or ${isClipped(aiResponse)}`,
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
  durationMs: runItems.durationMs,
  retriedAt: runItems.retriedAt,
}

/** The first of each step. */
export function listFirstItems(
  db: Executor,
  { executionId, positions, most }: { executionId: number; positions: number[]; most: number },
) {
  return db
    .select(listedColumns)
    .from(runItems)
    .where(and(ofRun(executionId), inArray(runItems.position, positions), lt(runItems.index, most)))
    .orderBy(asc(runItems.position), asc(runItems.index))
}

export type ListedItemRow = Awaited<ReturnType<typeof listFirstItems>>[number]

interface ItemsFilter {
  executionId: number
  position: number
  status?: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'skipped' | 'unsure' | undefined
}

function isItem({ executionId, position, status }: ItemsFilter): SQL | undefined {
  const ofStatus = {
    waiting: and(isNull(runItems.status), not(isUnsure)),
    unsure: isUnsure,
    // Which are under way, their process alone knows: they wait until they have ended.
    running: sql`false`,
    completed: and(isCompleted, isNull(runItems.skipReason)),
    failed: eq(runItems.status, 'failed'),
    cancelled: eq(runItems.status, 'cancelled'),
    skipped: isSkipped,
  }
  return and(ofRun(executionId), eq(runItems.position, position), status && ofStatus[status])
}

export function listItemRows(
  db: Executor,
  { after, limit, ...filter }: ItemsFilter & { after: number | undefined; limit: number },
): Promise<ListedItemRow[]> {
  return db
    .select(listedColumns)
    .from(runItems)
    .where(and(isItem(filter), after === undefined ? undefined : gt(runItems.index, after)))
    .orderBy(asc(runItems.index))
    .limit(limit)
}

export async function countItemRows(db: Executor, filter: ItemsFilter): Promise<number> {
  const [found] = await db
    .select({ count: countOf(sql`true`) })
    .from(runItems)
    .where(isItem(filter))
  return found?.count ?? 0
}

export async function findItemRow(
  db: Executor,
  { executionId, position, index }: { executionId: number; position: number; index: number },
) {
  const [found] = await db
    .select({ ...getTableColumns(runItems), isUnsure })
    .from(runItems)
    .where(and(ofRun(executionId), eq(runItems.position, position), eq(runItems.index, index)))
  return found
}

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItemRow>>>
