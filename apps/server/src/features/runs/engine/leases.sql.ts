import { and, eq, sql } from 'drizzle-orm'
import { asks, runSteps, runs, type TakenFrom } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import type { ApiCall } from './api-call.ts'
import type { PlannedStep } from './planned-step.ts'
import type { ClaimOrder } from './worker-capacity.ts'

/** How long a run counts as alive without a sign from its process, by the database's clock. */
const LEASE_SECONDS = 30

export const newLease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`

const NO_LIMIT = 1_000_000
/** No worker claims a run with such a lease, of whatever version. */
export const endlessLease = sql`'9999-01-01'::timestamptz`

const isFree = sql`(${runs.leaseUntil} is null or ${runs.leaseUntil} < now())`
const isUnclaimed = sql`${runs.leaseUntil} is null`

export interface Lease {
  id: number
  attempt: number
}

interface KeptLease {
  id: number
  cancelRequested: boolean
  runnerDisabled: boolean
}

/** Extends the leases; a run that is absent from the result belongs to this process no more. */
export async function extendLeases(db: Executor, held: Lease[]): Promise<KeptLease[]> {
  const ids = sql.param(held.map(({ id }) => id))
  const attempts = sql.param(held.map(({ attempt }) => attempt))
  const kept = await db.execute<{ id: number; cancel_requested: boolean; disabled: boolean }>(sql`
    update executions set lease_until = ${newLease}
    from unnest(${ids}::integer[], ${attempts}::integer[]) as held(id, attempt), users
    where executions.id = held.id and executions.attempt = held.attempt and executions.status = 'running'
      and users.id = executions.user_id
    returning executions.id, executions.cancel_requested_at is not null as cancel_requested,
      users.banned and (users.ban_expires is null or users.ban_expires > now()) as disabled`)
  return kept.rows.map(({ id, cancel_requested, disabled }) => ({
    id,
    cancelRequested: cancel_requested,
    runnerDisabled: disabled,
  }))
}

interface Failure {
  status: 'failed' | 'cancelled'
  error: string
  errorCode: string
}

export async function endAbandonedRuns(db: Executor, failure: Failure): Promise<void> {
  const ended = db.$with('ended').as(
    db
      .update(runs)
      .set({ ...failure, output: '', leaseUntil: null, finishedAt: sql`now()` })
      .where(and(eq(runs.status, 'running'), runs.endsWithProcess, isFree))
      .returning({ id: runs.id }),
  )
  await db
    .with(ended)
    .update(runSteps)
    .set({ ...failure, aiResponse: '', durationMs: 0, finishedAt: sql`now()` })
    .from(ended)
    .where(and(eq(runSteps.executionId, ended.id), eq(runSteps.status, 'running')))
}

/** The first step that has not completed: rows stand for those that have. */
const runningStep = sql`(select count(*)::integer from execution_steps where execution_id = executions.id)`

export interface HeldRun extends Lease {
  runner: { id: number; username: string; email: string; role: string | null; isDisabled: boolean }
  userInput: string
  variableValues: Record<string, string>
  privateValues: boolean | null
  plan: PlannedStep[]
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  apiCall: ApiCall | null
  takenFrom: TakenFrom | null
  cancelRequested: boolean
  lostWorkers: number
  lostAt: number | null
}

export interface ClaimedRun extends HeldRun {
  wasLost: boolean
}

/** Of rows that are called `run`, each beside its person's. */
const heldColumns = sql`run.id, run.attempt, run.user_input as "userInput", run.variable_values as "variableValues",
  run.private_values as "privateValues", run.plan, run.trigger, run.api_call as "apiCall", run.taken_from as "takenFrom",
  run.cancel_requested_at is not null as "cancelRequested",
  run.lost_workers as "lostWorkers", run.lost_at as "lostAt",
  json_build_object('id', users.id, 'username', users.display_username, 'email', users.email, 'role', users.role,
    'isDisabled', coalesce(users.banned, false) and (users.ban_expires is null or users.ban_expires > now())) as runner`

interface Claim extends Partial<ClaimOrder> {
  fewerThan?: number
  running?: readonly number[]
  atMost?: number
  takesOver?: boolean
}

/**
 * Claims waiting chain runs: the longest-waiting of the person with the fewest running, then of the one served
 * longest ago; runs claimed in the same statement count as running. Never one of `running`, which this process runs
 * even if its lease looks expired. With `fewerThan`, only for a person who would have no more runs than that person
 * has left, or has none. Reads the run after its claim, which may have waited for a step that the claiming
 * statement can't see yet. Without `takesOver`, no run whose lease ran out.
 */
export async function claimChainRuns(
  db: Executor,
  { served = [], here = [], most = NO_LIMIT, fewerThan, running = [], atMost = 1, takesOver = true }: Claim,
): Promise<ClaimedRun[]> {
  const isToBeHad = takesOver ? isFree : isUnclaimed
  const hasFewer = sql`user_id <> ${fewerThan}
    and coalesce(busy, 0) < greatest((select busy - 1 from people where user_id = ${fewerThan}), 1)`
  const claimed = await db.execute<ClaimedRun & Record<string, unknown>>(sql`
    with people as materialized (
      select user_id, count(*) as busy from executions
      where status = 'running' and lease_until >= now() and waiting_for is null group by user_id
    ), here as materialized (
      select * from unnest(${sql.param(here.map(([userId]) => userId))}::integer[],
        ${sql.param(here.map(([, count]) => count))}::integer[]) as here(user_id, taken)
    ), waiting as materialized (
      select id as waiting_id, row_number() over (partition by user_id order by executed_at, id) - 1 as ahead
      from executions where status = 'running' and not ends_with_process and ${isToBeHad}
        and id <> all(${sql.param(running)}::integer[])
    ), free as materialized (
      select id, user_id, executed_at, lease_until is not null as was_lost, ${runningStep} as position,
        coalesce(busy, 0) + ahead as place, coalesce(taken, 0) as taken
      from executions join waiting on waiting_id = id left join people using (user_id) left join here using (user_id)
      where status = 'running' and not ends_with_process and ${isToBeHad}
        and coalesce(taken, 0) < ${most} and ${fewerThan === undefined ? sql`true` : hasFewer}
      order by coalesce(busy, 0) + ahead, array_position(${sql.param(served)}::integer[], user_id) nulls first,
        executed_at, id
      limit ${atMost} for no key update of executions skip locked
    ), allowed as materialized (
      select *, taken + row_number() over (partition by user_id order by executed_at, id) as then_taken from free
    ), claimed as (
      update executions set attempt = attempt + 1, lease_until = ${newLease}, lost_at = allowed.position,
        lost_workers = case when lost_at = allowed.position then lost_workers else 0 end + allowed.was_lost::integer
      from allowed where executions.id = allowed.id and then_taken <= ${most}
      returning executions.*, was_lost, place
    )
    select ${heldColumns}, was_lost as "wasLost" from claimed as run join users on users.id = run.user_id
    order by place, executed_at, run.id`)
  return claimed.rows
}

export async function findHeldRun(db: Executor, id: number): Promise<HeldRun | undefined> {
  const found = await db.execute<HeldRun & Record<string, unknown>>(
    sql`select ${heldColumns} from executions as run join users on users.id = run.user_id where run.id = ${id}`,
  )
  return found.rows[0]
}

export async function releaseChainRuns(db: Executor, held: Lease[]): Promise<void> {
  if (held.length === 0) return
  const ids = sql.param(held.map(({ id }) => id))
  const attempts = sql.param(held.map(({ attempt }) => attempt))
  await db.execute(sql`
    update executions set lease_until = null
    from unnest(${ids}::integer[], ${attempts}::integer[]) as held(id, attempt)
    where executions.id = held.id and executions.attempt = held.attempt and executions.status = 'running'`)
}

/** For the only process of an embedded database: every earlier run is dead. Returns how many were runs of chains. */
export async function releaseAllRuns(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ isChain: boolean }>(sql`
    update executions set attempt = attempt + 1, lease_until = null, lost_at = ${runningStep},
      lost_workers = case when lost_at = ${runningStep} then lost_workers else 0 end + 1
    where status = 'running' and lease_until is not null and waiting_for is null
    returning not ends_with_process as "isChain"`)
  return rows.filter(({ isChain }) => isChain).length
}

const isAsking = sql`${runs.waitingFor} is not null`
const isWaiting = sql`(not ${runs.endsWithProcess} and (${isFree} or ${isAsking}))`

/** Requests that a run be cancelled, in any process; a run waiting for a worker or a person ends at once, and asks nobody. */
export async function requestCancel(db: Executor, id: number): Promise<void> {
  const stopped = db.$with('stopped').as(
    db
      .update(runs)
      .set({
        cancelRequestedAt: sql`now()`,
        // Its worker may still live, though its lease is over.
        attempt: sql`${runs.attempt} + ${isWaiting}::integer`,
        status: sql`case when ${isWaiting} then 'cancelled'::execution_status else ${runs.status} end`,
        finishedAt: sql`case when ${isWaiting} then now() end`,
        error: sql`case when ${isAsking} then 'Stopped while it waited for an answer'
          when ${isWaiting} then 'Stopped while it waited its turn' end`,
        errorCode: sql`case when ${isWaiting} then 'cancelled' end`,
        leaseUntil: sql`case when not ${isAsking} then ${runs.leaseUntil} end`,
        waitingFor: null,
      })
      .where(and(eq(runs.id, id), eq(runs.status, 'running')))
      .returning({ id: runs.id, status: runs.status }),
  )
  await db
    .with(stopped)
    .update(asks)
    .set({ status: 'withdrawn', closedAt: sql`now()` })
    .from(stopped)
    .where(and(eq(asks.executionId, stopped.id), eq(asks.status, 'open'), eq(stopped.status, 'cancelled')))
}
