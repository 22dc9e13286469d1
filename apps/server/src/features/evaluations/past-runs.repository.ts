import { and, desc, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'

/** How many of the last runs an estimate is based on. */
const RUNS_MAX = 200

interface Spread {
  median: number
  p95: number
}

const spreadOf = (value: SQLWrapper) => ({
  median: sql<number>`percentile_cont(0.5) within group (order by ${value})`.mapWith(Number),
  p95: sql<number>`percentile_cont(0.95) within group (order by ${value})`.mapWith(Number),
})

/** The tokens of the last completed runs of a prompt with a model. */
export async function findPromptTokens(
  executor: Executor,
  { promptId, model }: { promptId: number; model: string },
): Promise<{ runs: number; input: Spread; output: Spread }> {
  const last = executor
    .select({ inputTokens: executionSteps.inputTokens, outputTokens: executionSteps.outputTokens })
    .from(executions)
    .innerJoin(executionSteps, eq(executionSteps.executionId, executions.id))
    .where(
      and(
        eq(executions.promptId, promptId),
        eq(executions.kind, 'prompt'),
        eq(executions.status, 'completed'),
        eq(executionSteps.model, model),
        isNotNull(executionSteps.inputTokens),
        isNotNull(executionSteps.outputTokens),
      ),
    )
    .orderBy(desc(executions.id))
    .limit(RUNS_MAX)
    .as('last')
  const [found] = await executor
    .select({
      runs: sql<number>`count(*)::integer`,
      input: spreadOf(last.inputTokens),
      output: spreadOf(last.outputTokens),
    })
    .from(last)
  if (found === undefined) throw new Error('An aggregate has one row')
  return found
}

/** What the last completed runs of a chain cost, as far as the prices of all their steps are known. */
export async function findChainCosts(
  executor: Executor,
  { chainId }: { chainId: number },
): Promise<{ runs: number; nanos: Spread }> {
  const last = executor
    .select({
      nanos:
        sql<number>`(select sum(cost_nanos) from ${executionSteps} where ${executionSteps.executionId} = ${executions.id})`.as(
          'nanos',
        ),
    })
    .from(executions)
    .where(
      and(
        eq(executions.chainId, chainId),
        eq(executions.status, 'completed'),
        sql`not exists (select from ${executionSteps} where ${executionSteps.executionId} = ${executions.id} and cost_nanos is null)`,
      ),
    )
    .orderBy(desc(executions.id))
    .limit(RUNS_MAX)
    .as('last')
  const [found] = await executor
    .select({ runs: sql<number>`count(*)::integer`, nanos: spreadOf(sql`${last.nanos}`) })
    .from(last)
  if (found === undefined) throw new Error('An aggregate has one row')
  return found
}
