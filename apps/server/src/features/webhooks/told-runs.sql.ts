import { type FinishReason, WEBHOOK_TEXT_MAX } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import { runSteps, runs } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

export type ToldRun = NonNullable<Awaited<ReturnType<typeof findOptionalToldRun>>>

export async function findOptionalToldRun(db: Executor, id: number) {
  const sumOf = (column: string) =>
    sql<
      string | null
    >`(select sum(${sql.identifier(column)}) from ${runSteps} where ${runSteps.executionId} = ${runs.id})`
  const [found] = await db
    .select({
      id: runs.id,
      userId: runs.userId,
      attempt: runs.attempt,
      kind: runs.kind,
      trigger: runs.trigger,
      status: runs.status,
      errorCode: runs.errorCode,
      promptId: runs.promptId,
      chainId: runs.chainId,
      chainVersion: runs.chainVersion,
      label: runs.chainLabel,
      name: sql<string>`coalesce(${runs.chainName}, (select title from ${runSteps} where ${runSteps.executionId} = ${runs.id} order by position limit 1), '')`,
      steps: runs.stepCount,
      cutBy:
        sql<FinishReason | null>`(select finish_reason from ${runSteps} where ${runSteps.executionId} = ${runs.id} and finish_reason in ('length', 'other') order by position limit 1)`.mapWith(
          runSteps.finishReason,
        ),
      inputTokens: sumOf('input_tokens'),
      outputTokens: sumOf('output_tokens'),
      costNanos: sumOf('cost_nanos'),
      executedAt: runs.executedAt,
      finishedAt: runs.finishedAt,
    })
    .from(runs)
    .where(eq(runs.id, id))
  return found
}

const beginningOf = (column: unknown) => sql<string | null>`left(${column}, ${WEBHOOK_TEXT_MAX + 1})`

/** The beginnings of a person's own run's texts; undefined where it, or they, are gone, or it was resumed since. */
export async function findOptionalRunTexts(
  db: Executor,
  { id, attempt, userId }: { id: number; attempt: number; userId: number },
) {
  const [found] = await db
    .select({
      input: beginningOf(runs.userInput),
      output: beginningOf(runs.output),
      error: beginningOf(runs.error),
    })
    .from(runs)
    .where(
      and(eq(runs.id, id), eq(runs.attempt, attempt), eq(runs.userId, userId), eq(runs.textsDeleted, false)),
    )
  return found
}
