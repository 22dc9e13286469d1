import { and, asc, eq, gte, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { runItems, runSteps, runs } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

export type EndedRun = NonNullable<Awaited<ReturnType<typeof findOptionalEndedRun>>>
export type EndedStep = EndedRun['steps'][number]

interface RunEnd {
  id: number
  attempt: number
}

/**
 * A run with its steps from that position on, without any text; undefined where it is gone, was resumed since it ended under
 * that attempt, or may have used private values, which its figures would tell (D68).
 */
export async function findOptionalEndedRun(
  db: Executor,
  { id, attempt, fromStep }: RunEnd & { fromStep: number },
) {
  const [found] = await db
    .select({
      id: runs.id,
      attempt: runs.attempt,
      kind: runs.kind,
      trigger: runs.trigger,
      status: runs.status,
      errorCode: runs.errorCode,
      promptId: runs.promptId,
      chainId: runs.chainId,
      chainVersion: runs.chainVersion,
      stepCount: runs.stepCount,
      executedAt: runs.executedAt,
      finishedAt: runs.finishedAt,
      takenFrom: runs.takenFrom,
    })
    .from(runs)
    .where(
      and(
        eq(runs.id, id),
        eq(runs.attempt, attempt),
        ne(runs.status, 'running'),
        eq(runs.privateValues, false),
      ),
    )
  if (found === undefined) return undefined
  const { takenFrom, ...run } = found
  const steps = await db
    .select({
      position: runSteps.position,
      status: runSteps.status,
      model: runSteps.model,
      provider: runSteps.provider,
      modelId: runSteps.modelId,
      finishReason: runSteps.finishReason,
      promptId: runSteps.promptId,
      promptVersion: runSteps.promptVersion,
      temperature: sql<number | null>`(${runSteps.settings} ->> 'temperature')::float8`,
      maxTokens: sql<number | null>`(${runSteps.settings} ->> 'maxTokens')::integer`,
      errorCode: runSteps.errorCode,
      isSkipped: sql<boolean>`${runSteps.skipReason} is not null`,
      isLoop: sql<boolean>`coalesce(${runSteps.settings} -> 'forEach' is not null, false)`,
      retries: runSteps.retries,
      limitWaitMs: runSteps.limitWaitMs,
      inputTokens: runSteps.inputTokens,
      outputTokens: runSteps.outputTokens,
      cachedTokens: runSteps.cachedTokens,
      costNanos: runSteps.costNanos,
      firstTokenMs: runSteps.firstTokenMs,
      durationMs: runSteps.durationMs,
      startedAt: runSteps.startedAt,
      finishedAt: runSteps.finishedAt,
    })
    .from(runSteps)
    .where(
      and(eq(runSteps.executionId, id), gte(runSteps.position, Math.max(fromStep, takenFrom?.position ?? 0))),
    )
    .orderBy(asc(runSteps.position))
  const loops = steps.flatMap(({ isLoop, position }) => (isLoop ? [position] : []))
  return { ...run, steps, items: loops.length === 0 ? [] : await listEndedItems(db, { id, loops }) }
}

/** As their steps, without any text. */
function listEndedItems(db: Executor, { id, loops }: { id: number; loops: number[] }) {
  return db
    .select({
      position: runItems.position,
      index: runItems.index,
      status: sql<'completed' | 'failed' | 'cancelled'>`${runItems.status}`,
      provider: runItems.provider,
      modelId: runItems.modelId,
      finishReason: runItems.finishReason,
      errorCode: runItems.errorCode,
      isSkipped: sql<boolean>`${runItems.skipReason} is not null`,
      retries: runItems.retries,
      limitWaitMs: runItems.limitWaitMs,
      inputTokens: runItems.inputTokens,
      outputTokens: runItems.outputTokens,
      cachedTokens: runItems.cachedTokens,
      costNanos: runItems.costNanos,
      firstTokenMs: runItems.firstTokenMs,
      durationMs: runItems.durationMs,
      startedAt: runItems.startedAt,
      finishedAt: runItems.finishedAt,
    })
    .from(runItems)
    .where(and(eq(runItems.executionId, id), inArray(runItems.position, loops), isNotNull(runItems.status)))
    .orderBy(asc(runItems.position), asc(runItems.index))
}

/** Notes how many steps of a run that may be resumed were told; nothing happens where it was resumed meanwhile. */
export async function noteToldSteps(
  db: Executor,
  { id, attempt, subscriber, count }: RunEnd & { subscriber: string; count: number },
): Promise<void> {
  await db
    .update(runs)
    .set({
      subscribers: sql`jsonb_set(${runs.subscribers}, array[${subscriber}::text], to_jsonb(${String(count)}::text))`,
    })
    .where(and(eq(runs.id, id), eq(runs.attempt, attempt), ne(runs.status, 'running')))
}
