import { type ActiveRun, type SlowStatement, WORK_LISTED } from '@catenary/contracts'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { runSteps, runs, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

const SLOW_SECONDS = 1
const STATEMENTS_LISTED = 20
/** A larger plan, which holds all texts of the run, is not opened just for the model of a step. */
const PLAN_OPENED_BYTES = 32_768

const isFree = sql`not ends_with_process and (lease_until is null or lease_until < now())`

interface WorkMetrics {
  waitingRuns: number
  oldestWaitingSeconds: number
}

export async function readWorkMetrics(db: Executor): Promise<WorkMetrics> {
  const { rows } = await db.execute<{ waiting: number; oldest: number }>(sql`
    select count(*)::integer as waiting,
      coalesce(extract(epoch from now() - min(executed_at)), 0)::double precision as oldest
    from executions where status = 'running' and ${isFree}`)
  const { waiting = 0, oldest = 0 } = rows[0] ?? {}
  return { waitingRuns: waiting, oldestWaitingSeconds: Math.max(oldest, 0) }
}

export async function listActiveRuns(db: Executor): Promise<ActiveRun[]> {
  const completed = sql<number>`(select count(*)::integer from ${runSteps}
    where ${runSteps.executionId} = ${runs.id} and ${runSteps.status} = 'completed')`
  const rows = await db
    .select({
      id: runs.id,
      kind: runs.kind,
      state: sql<ActiveRun['state']>`case when ${runs.cancelRequestedAt} is not null then 'stopping'
        when ${isFree} then 'waiting' else 'running' end`,
      model: sql<string | null>`case when ${runs.kind} = 'prompt' then (
          select ${runSteps.model} from ${runSteps} where ${runSteps.executionId} = ${runs.id} and ${runSteps.position} = 0)
        when pg_column_size(${runs.plan}) < ${PLAN_OPENED_BYTES} then ${runs.plan} -> ${completed} ->> 'model' end`,
      trigger: runs.trigger,
      username: users.displayUsername,
      startedAt: runs.executedAt,
      completedSteps: completed,
      stepCount: runs.stepCount,
      heldUntil: runs.leaseUntil,
    })
    .from(runs)
    .innerJoin(users, eq(users.id, runs.userId))
    // One that waits for a person takes nothing of this installation.
    .where(and(eq(runs.status, 'running'), isNull(runs.waitingFor)))
    .orderBy(asc(runs.executedAt), asc(runs.id))
    .limit(WORK_LISTED + 1)
  return rows.map(({ startedAt, heldUntil, ...run }) => ({
    ...run,
    startedAt: startedAt.toISOString(),
    heldUntil: run.state === 'waiting' ? null : (heldUntil?.toISOString() ?? null),
  }))
}

/** Whose run it is; undefined once it has ended. */
export async function findOptionalRunner(db: Executor, id: number): Promise<number | undefined> {
  const [found] = await db
    .select({ userId: runs.userId })
    .from(runs)
    .where(and(eq(runs.id, id), eq(runs.status, 'running')))
  return found?.userId
}

interface Session extends Record<string, unknown> {
  pid: number
  since_ms: number
  is_idle: boolean
  text: string
  waits_for: string | null
  blocked_by: number[]
}

/** What other sessions have been busy with for over a second; statements as the server shows them. */
export async function listSlowStatements(db: Executor): Promise<SlowStatement[]> {
  const { rows } = await db.execute<Session>(sql`
    select pid, (extract(epoch from since) * 1000)::float8 as since_ms, is_idle, coalesce(query, '') as text,
      wait_event_type || ': ' || wait_event as waits_for,
      case when wait_event_type = 'Lock' then pg_blocking_pids(pid) else '{}'::integer[] end as blocked_by
    from (
      select *, state <> 'active' as is_idle, case when state = 'active' then query_start else state_change end as since
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and (state = 'active' or state like 'idle in transaction%')
    ) as at_work
    where since < clock_timestamp() - make_interval(secs => ${SLOW_SECONDS})
    order by since limit ${STATEMENTS_LISTED}`)
  return rows.map(({ pid, since_ms, is_idle, text, waits_for, blocked_by }) => ({
    pid,
    since: new Date(since_ms).toISOString(),
    isIdle: is_idle,
    text,
    waitsFor: is_idle ? null : waits_for,
    blockedBy: blocked_by,
  }))
}

export async function readConnections(db: Executor): Promise<{ used: number; allowed: number }> {
  const { rows } = await db.execute<{ used: number; allowed: number }>(sql`
    select count(*)::integer as used,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::integer as allowed
    from pg_stat_activity where datid is not null and coalesce(backend_type, 'client backend') = 'client backend'`)
  return rows[0] ?? { used: 0, allowed: 0 }
}
