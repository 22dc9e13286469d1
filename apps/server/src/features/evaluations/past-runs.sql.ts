import { and, desc, eq, isNotNull, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { runSteps, runs } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { isSharedRun } from '../../database/statements/open-runs.ts'

/** How many of the last runs an estimate is based on. */
const RUNS_MAX = 200

interface Spread {
  median: number
  p95: number
}

/** What another person's runs took is theirs to see, unless they share them (D68). */
const mayCount = (viewerId: number): SQL | undefined => or(eq(runs.userId, viewerId), isSharedRun)

const spreadOf = (value: SQLWrapper) => ({
  median: sql<number>`percentile_cont(0.5) within group (order by ${value})`.mapWith(Number),
  p95: sql<number>`percentile_cont(0.95) within group (order by ${value})`.mapWith(Number),
})

export async function findPromptTokens(
  db: Executor,
  { promptId, model, viewerId }: { promptId: number; model: string; viewerId: number },
): Promise<{ runs: number; input: Spread; output: Spread }> {
  const last = db
    .select({ inputTokens: runSteps.inputTokens, outputTokens: runSteps.outputTokens })
    .from(runs)
    .innerJoin(runSteps, eq(runSteps.executionId, runs.id))
    .where(
      and(
        eq(runs.promptId, promptId),
        mayCount(viewerId),
        eq(runs.kind, 'prompt'),
        eq(runs.status, 'completed'),
        eq(runSteps.model, model),
        isNotNull(runSteps.inputTokens),
        isNotNull(runSteps.outputTokens),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(RUNS_MAX)
    .as('last')
  const [found] = await db
    .select({
      runs: sql<number>`count(*)::integer`,
      input: spreadOf(last.inputTokens),
      output: spreadOf(last.outputTokens),
    })
    .from(last)
  if (found === undefined) throw new Error('An aggregate has one row')
  return found
}

/** What the last completed runs of a chain cost that the viewer may read, as far as the prices of all their steps are known. */
export async function findChainCosts(
  db: Executor,
  { chainId, viewerId }: { chainId: number; viewerId: number },
): Promise<{ runs: number; nanos: Spread }> {
  const last = db
    .select({
      nanos:
        sql<number>`(select sum(cost_nanos) from ${runSteps} where ${runSteps.executionId} = ${runs.id})`.as(
          'nanos',
        ),
    })
    .from(runs)
    .where(
      and(
        eq(runs.chainId, chainId),
        mayCount(viewerId),
        eq(runs.status, 'completed'),
        // Its first steps cost nothing.
        isNull(runs.takenFrom),
        sql`not exists (select from ${runSteps} where ${runSteps.executionId} = ${runs.id} and cost_nanos is null)`,
      ),
    )
    .orderBy(desc(runs.id))
    .limit(RUNS_MAX)
    .as('last')
  const [found] = await db
    .select({ runs: sql<number>`count(*)::integer`, nanos: spreadOf(sql`${last.nanos}`) })
    .from(last)
  if (found === undefined) throw new Error('An aggregate has one row')
  return found
}
