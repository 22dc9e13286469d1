import { USAGE_RUNS_PAGE, type UsageRunsQuery, type VersionMetricsQuery } from '@catenary/contracts'
import { and, desc, eq, gte, lt, ne, type SQL, sql } from 'drizzle-orm'
import { isNoCell } from '../../db/evaluation-runs.ts'
import type { Executor } from '../../db/executor.ts'
import { executionSteps, executions, users } from '../../db/schema/index.ts'

/** Metrics of a prompt's versions cover at most so many of its newest runs. */
const VERSION_RUNS_MAX = 10_000

interface RunsFilter
  extends Pick<UsageRunsQuery, 'outcome' | 'reason' | 'model' | 'promptId' | 'chainId' | 'before'> {
  userId: number | undefined
  from: Date
  to: Date
}

const stepsOf = (figure: SQL) =>
  sql`(select ${figure} from ${executionSteps} where ${executionSteps.executionId} = ${executions.id})`

const runMetrics = {
  costNanos: sql<number | null>`${stepsOf(sql`sum(cost_nanos)::double precision`)}`,
  durationMs: sql<number | null>`${stepsOf(sql`sum(duration_ms)::integer`)}`,
}

const whereGiven = <Value>(value: Value | undefined, isIt: (value: Value) => SQL) =>
  value === undefined ? undefined : isIt(value)

/** Runs that ended within the time, newest first; one more than a page has. */
export function listUsageRuns(executor: Executor, filter: RunsFilter) {
  const { userId, from, to, outcome, reason, model, promptId, chainId, before } = filter
  const answered = (id: string) =>
    sql`exists (select from ${executionSteps} where ${executionSteps.executionId} = ${executions.id}
      and ${executionSteps.modelId} = ${id})`
  return executor
    .select({
      id: executions.id,
      kind: executions.kind,
      promptId: executions.promptId,
      chainId: executions.chainId,
      status: executions.status,
      error: executions.errorCode,
      executedAt: executions.executedAt,
      executedBy: users.displayUsername,
      models: sql<string[] | null>`${stepsOf(sql`array_agg(distinct coalesce(model_id, model))`)}`,
      ...runMetrics,
    })
    .from(executions)
    .innerJoin(users, eq(users.id, executions.userId))
    .where(
      and(
        ne(executions.status, 'running'),
        gte(executions.finishedAt, from),
        lt(executions.finishedAt, to),
        whereGiven(userId, (id) => eq(executions.userId, id)),
        whereGiven(outcome, (status) => eq(executions.status, status)),
        whereGiven(reason, (code) => eq(executions.errorCode, code)),
        whereGiven(promptId, (id) => sql`${executions.promptId} = ${id} and ${isNoCell}`),
        whereGiven(chainId, (id) => sql`${executions.chainId} = ${id} and ${isNoCell}`),
        whereGiven(before, (id) => lt(executions.id, id)),
        whereGiven(model, answered),
      ),
    )
    .orderBy(desc(executions.id))
    .limit(USAGE_RUNS_PAGE + 1)
}

interface VersionRuns extends Pick<VersionMetricsQuery, 'promptId' | 'chainId'> {
  userId: number | undefined
}

/** What each version of a prompt or chain came to in its last runs; of a prompt where the stored text ran. */
export async function listVersionMetrics(executor: Executor, { promptId, chainId, userId }: VersionRuns) {
  // Bounded before anything is joined: it may have run a million times.
  const last = executor
    .select({ id: executions.id, status: executions.status, chainVersion: executions.chainVersion })
    .from(executions)
    .where(
      and(
        whereGiven(promptId, (id) => eq(executions.promptId, id)),
        eq(executions.kind, chainId === undefined ? 'prompt' : 'chain'),
        whereGiven(chainId, (id) => eq(executions.chainId, id)),
        isNoCell,
        whereGiven(userId, (id) => eq(executions.userId, id)),
      ),
    )
    .orderBy(desc(executions.id))
    .limit(VERSION_RUNS_MAX)
    .as('last')
  const took = executor
    .select({
      promptVersion: sql<
        number | null
      >`max(${executionSteps.promptVersion}) filter (where ${executionSteps.template} is null)`.as(
        'prompt_version',
      ),
      durationMs: sql<number | null>`sum(${executionSteps.durationMs})`.as('duration_ms'),
      costNanos: sql<number | null>`sum(${executionSteps.costNanos})`.as('cost_nanos'),
    })
    .from(executionSteps)
    .where(eq(executionSteps.executionId, last.id))
    .as('took')
  const version = chainId === undefined ? took.promptVersion : last.chainVersion
  return executor
    .select({
      version: sql<number>`${version}`,
      runs: sql<number>`count(*)::integer`,
      medianMs: sql<
        number | null
      >`percentile_cont(0.5) within group (order by ${took.durationMs}::double precision)
        filter (where ${last.status} = 'completed')`,
      costNanos: sql<number | null>`sum(${took.costNanos})::double precision`,
    })
    .from(last)
    .crossJoinLateral(took)
    .where(sql`${version} is not null`)
    .groupBy(sql`${version}`)
}
