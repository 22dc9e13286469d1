import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'
import { LEASE_SECONDS } from './lease.ts'

const newLease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Nobody extended the lease, or nobody took the run yet. */
const isFree = sql`(${executions.leaseUntil} is null or ${executions.leaseUntil} < now())`

interface Held {
  id: number
  attempt: number
}

interface KeptLease {
  id: number
  /** Someone asked for its end. */
  cancelRequested: boolean
  runnerDisabled: boolean
}

/** Extends the leases; a run that is absent from the result belongs to this process no more. */
export async function extendLeases(executor: Executor, held: Held[]): Promise<KeptLease[]> {
  const ids = sql.param(held.map(({ id }) => id))
  const attempts = sql.param(held.map(({ attempt }) => attempt))
  const kept = await executor.execute<{ id: number; cancel_requested: boolean; disabled: boolean }>(sql`
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

/** Prompt runs whose process is gone. */
export async function listAbandonedPromptRuns(executor: Executor): Promise<number[]> {
  const rows = await executor
    .select({ id: executions.id })
    .from(executions)
    .where(and(eq(executions.status, 'running'), eq(executions.kind, 'prompt'), isFree))
  return rows.map((row) => row.id)
}

/** In every step of each of `taken`: its new attempt, and in the one under way that its worker died. */
const takeSteps = (taken: SQL) => sql`
  update execution_steps set attempt = taken.attempt, lost_workers = lost_workers + (
    taken.was_held and status <> 'completed' and position = (
      select min(position) from execution_steps other where other.execution_id = taken.id and other.status <> 'completed'
    )
  )::integer
  from ${taken} where execution_id = taken.id`

/** Takes the chain run that waits longest among those of the people who have the fewest under way. */
export async function claimChainRun(executor: Executor): Promise<Held | undefined> {
  const claimed = await executor.execute<{ id: number; attempt: number }>(sql`
    with free as materialized (
      select id, lease_until is not null as was_held from executions
      where status = 'running' and kind = 'chain' and ${isFree}
      order by (
        select count(*) from executions busy
        where busy.status = 'running' and busy.lease_until >= now() and busy.user_id = executions.user_id
      ), id
      limit 1 for update skip locked
    ), claimed as (
      update executions set attempt = attempt + 1, lease_until = ${newLease}
      from free where executions.id = free.id
      returning executions.id, attempt, free.was_held
    ), steps as (${takeSteps(sql`claimed taken`)})
    select id, attempt from claimed`)
  return claimed.rows[0]
}

/** Gives runs back: any worker may take them at once. */
export async function releaseChainRuns(executor: Executor, held: Held[]): Promise<void> {
  if (held.length === 0) return
  const ids = sql.param(held.map(({ id }) => id))
  const attempts = sql.param(held.map(({ attempt }) => attempt))
  await executor.execute(sql`
    update executions set lease_until = null
    from unnest(${ids}::integer[], ${attempts}::integer[]) as held(id, attempt)
    where executions.id = held.id and executions.attempt = held.attempt and executions.status = 'running'`)
}

/** For the one process of a database that no other can open: whatever ran before it is dead. */
export async function releaseAllRuns(executor: Executor): Promise<void> {
  await executor.execute(sql`
    with taken as (
      update executions set attempt = attempt + 1, lease_until = null
      where status = 'running' and lease_until is not null
      returning id, attempt, true as was_held
    )
    ${takeSteps(sql`taken`)}`)
}

const isWaiting = sql`(${executions.kind} = 'chain' and ${isFree})`

/** Asks for the end of runs, whoever runs them; those that wait for a worker end at once. */
export async function requestCancel(executor: Executor, ids: number[]): Promise<void> {
  const asked = executor.$with('asked').as(
    executor
      .update(executions)
      .set({
        cancelRequestedAt: sql`now()`,
        attempt: sql`${executions.attempt} + ${isWaiting}::integer`,
        status: sql`case when ${isWaiting} then 'cancelled'::execution_status else ${executions.status} end`,
        finishedAt: sql`case when ${isWaiting} then now() end`,
        error: sql`case when ${isWaiting} then 'Stopped while it waited its turn' end`,
        errorCode: sql`case when ${isWaiting} then 'cancelled' end`,
      })
      .where(and(inArray(executions.id, ids), eq(executions.status, 'running')))
      .returning({ id: executions.id, attempt: executions.attempt, status: executions.status }),
  )
  // Its worker may still live, though its lease is over.
  await executor
    .with(asked)
    .update(executionSteps)
    .set({ attempt: sql`${asked.attempt}` })
    .from(asked)
    .where(and(eq(executionSteps.executionId, asked.id), eq(asked.status, 'cancelled')))
}
