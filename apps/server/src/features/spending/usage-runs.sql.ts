import { USAGE_RUNS_PAGE, type UsageRunsQuery, type VersionMetricsQuery } from '@catenary/contracts'
import { and, desc, eq, gte, lt, ne, type SQL, sql } from 'drizzle-orm'
import { runItems, runSteps, runs, users } from '../../database/schema/index.ts'
import { isNotCell } from '../../database/statements/evaluation-runs.ts'
import type { Executor } from '../../database/statements/executor.ts'

/** Metrics of a prompt's versions cover at most so many of its newest runs. */
const VERSION_RUNS_MAX = 10_000

interface RunsFilter
  extends Pick<UsageRunsQuery, 'outcome' | 'reason' | 'model' | 'promptId' | 'chainId' | 'before'> {
  userId: number | undefined
  from: Date
  to: Date
}

const stepsOf = (figure: SQL) =>
  sql`(select ${figure} from ${runSteps} where ${runSteps.executionId} = ${runs.id})`

const runMetrics = {
  costNanos: sql<number | null>`${stepsOf(sql`sum(cost_nanos)::double precision`)}`,
  durationMs: sql<number | null>`${stepsOf(sql`sum(duration_ms)::integer`)}`,
}

const whereGiven = <Value>(value: Value | undefined, isIt: (value: Value) => SQL) =>
  value === undefined ? undefined : isIt(value)

export async function findOptionalRunner(db: Executor, runId: number): Promise<number | undefined> {
  const [found] = await db.select({ userId: runs.userId }).from(runs).where(eq(runs.id, runId))
  return found?.userId
}

export function listUsageRuns(db: Executor, filter: RunsFilter) {
  const { userId, from, to, outcome, reason, model, promptId, chainId, before } = filter
  const answered = (id: string) =>
    sql`(
      exists (select from ${runSteps} where ${runSteps.executionId} = ${runs.id} and ${runSteps.modelId} = ${id})
      or exists (select from ${runItems} where ${runItems.executionId} = ${runs.id} and ${runItems.modelId} = ${id})
    )`
  return db
    .select({
      id: runs.id,
      kind: runs.kind,
      promptId: runs.promptId,
      chainId: runs.chainId,
      status: runs.status,
      error: runs.errorCode,
      executedAt: runs.executedAt,
      executedBy: users.displayUsername,
      models: sql<string[] | null>`${stepsOf(sql`array_agg(distinct coalesce(model_id, model))`)}`,
      ...runMetrics,
    })
    .from(runs)
    .innerJoin(users, eq(users.id, runs.userId))
    .where(
      and(
        ne(runs.status, 'running'),
        gte(runs.finishedAt, from),
        lt(runs.finishedAt, to),
        whereGiven(userId, (id) => eq(runs.userId, id)),
        whereGiven(outcome, (status) => eq(runs.status, status)),
        whereGiven(reason, (code) => eq(runs.errorCode, code)),
        whereGiven(promptId, (id) => sql`${runs.promptId} = ${id} and ${isNotCell}`),
        whereGiven(chainId, (id) => sql`${runs.chainId} = ${id} and ${isNotCell}`),
        whereGiven(before, (id) => lt(runs.id, id)),
        whereGiven(model, answered),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(USAGE_RUNS_PAGE + 1)
}

interface VersionRuns extends Pick<VersionMetricsQuery, 'promptId' | 'chainId'> {
  userId: number | undefined
}

/** The metrics of each version's last runs; of a prompt, only runs of its stored text. */
export async function listVersionMetrics(db: Executor, { promptId, chainId, userId }: VersionRuns) {
  // Bounded before anything is joined: it may have run a million times.
  const last = db
    .select({ id: runs.id, status: runs.status, chainVersion: runs.chainVersion })
    .from(runs)
    .where(
      and(
        whereGiven(promptId, (id) => eq(runs.promptId, id)),
        eq(runs.kind, chainId === undefined ? 'prompt' : 'chain'),
        whereGiven(chainId, (id) => eq(runs.chainId, id)),
        isNotCell,
        whereGiven(userId, (id) => eq(runs.userId, id)),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(VERSION_RUNS_MAX)
    .as('last')
  const took = db
    .select({
      promptVersion: sql<
        number | null
      >`max(${runSteps.promptVersion}) filter (where ${runSteps.template} is null)`.as('prompt_version'),
      durationMs: sql<number | null>`sum(${runSteps.durationMs})`.as('duration_ms'),
      costNanos: sql<number | null>`sum(${runSteps.costNanos})`.as('cost_nanos'),
    })
    .from(runSteps)
    .where(eq(runSteps.executionId, last.id))
    .as('took')
  const version = chainId === undefined ? took.promptVersion : last.chainVersion
  return db
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
