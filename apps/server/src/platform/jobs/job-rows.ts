import { and, eq, sql } from 'drizzle-orm'
import { jobs } from '../../database/schema/jobs.ts'
import type { Executor } from '../../database/statements/executor.ts'

export const CHANNEL = 'catenary_jobs'

const LEASE_SECONDS = 30
const FIRST_RETRY_SECONDS = 1
const LAST_RETRY_SECONDS = 300

const inSeconds = (seconds: unknown) => sql`now() + make_interval(secs => ${seconds})`
const newLease = inSeconds(LEASE_SECONDS)
const nextTry = inSeconds(
  sql`least(${LAST_RETRY_SECONDS}, ${FIRST_RETRY_SECONDS} * power(2, least(attempt, 20) - 1))`,
)

export interface NewJob {
  queue: string
  key: string
  payload: object
  runAt?: Date | undefined
}

export type HeldJob = Awaited<ReturnType<typeof claimJobs>>[number]
type Claim = Pick<HeldJob, 'id' | 'attempt'>

const isHeldAs = ({ id, attempt }: Claim) =>
  and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.isHeld, true))

/** While a job of that key waits, another is not needed. */
export async function createJob(executor: Executor, { runAt, ...job }: NewJob): Promise<void> {
  const due = runAt === undefined ? {} : { runAt, nextAt: runAt }
  await executor
    .insert(jobs)
    .values({ ...job, ...due })
    .onConflictDoNothing()
}

const isOfKey = ({ queue, key }: Pick<NewJob, 'queue' | 'key'>) =>
  and(eq(jobs.queue, queue), eq(jobs.key, key))

export async function existsJob(executor: Executor, job: Pick<NewJob, 'queue' | 'key'>): Promise<boolean> {
  return (await executor.$count(jobs, isOfKey(job))) > 0
}

export async function deleteJob(executor: Executor, job: Pick<NewJob, 'queue' | 'key'>): Promise<void> {
  await executor.delete(jobs).where(isOfKey(job))
}

interface QueueWithRoom {
  queue: string
  room: number
}

/** Not running in this process, even if its lease looks expired. */
const isNoneOf = (running: readonly number[]) => sql`jobs.id <> all(${sql.param(running)}::bigint[])`

/** Claims due jobs, of each queue as many as it has room for, the longest due first. */
export function claimJobs(executor: Executor, wanted: QueueWithRoom[], running: readonly number[]) {
  const queues = sql.param(wanted.map(({ queue }) => queue))
  const rooms = sql.param(wanted.map(({ room }) => room))
  const due = sql`
    select due.id from unnest(${queues}::text[], ${rooms}::integer[]) as wanted(queue, room), lateral (
      select id from jobs where jobs.queue = wanted.queue and next_at <= now() and ${isNoneOf(running)}
      order by next_at limit wanted.room for update skip locked
    ) as due`
  return executor
    .update(jobs)
    .set({ attempt: sql`${jobs.attempt} + 1`, isHeld: true, nextAt: newLease })
    .where(sql`${jobs.id} = any(array(${due}))`)
    .returning({
      id: jobs.id,
      queue: jobs.queue,
      key: jobs.key,
      payload: jobs.payload,
      attempt: jobs.attempt,
      lateMs: sql`extract(epoch from now() - ${jobs.runAt}) * 1000`.mapWith(Number),
    })
}

/** Milliseconds until the next job is due or a lease ends; undefined when none waits. */
export async function untilNextJob(
  executor: Executor,
  wanted: QueueWithRoom[],
  running: readonly number[],
): Promise<number | undefined> {
  const queues = sql.param(wanted.map(({ queue }) => queue))
  const { rows } = await executor.execute<{ ms: number | null }>(sql`
    select (extract(epoch from min(next.next_at) - now()) * 1000)::float8 as ms
    from unnest(${queues}::text[]) as wanted(queue), lateral (
      select next_at from jobs where jobs.queue = wanted.queue and ${isNoneOf(running)}
      order by next_at limit 1
    ) as next`)
  return rows[0]?.ms ?? undefined
}

/** Seconds since the longest-waiting job of these queues became due, or since the lease of a dead process ended; 0: none. */
export async function readOldestDue(executor: Executor, queues: string[]): Promise<number> {
  const { rows } = await executor.execute<{ seconds: number | null }>(sql`
    select extract(epoch from now() - min(next.next_at))::float8 as seconds
    from unnest(${sql.param(queues)}::text[]) as wanted(queue), lateral (
      select next_at from jobs where jobs.queue = wanted.queue order by next_at limit 1
    ) as next`)
  return Math.max(rows[0]?.seconds ?? 0, 0)
}

export async function extendLeases(executor: Executor, held: Claim[]): Promise<Set<number>> {
  const ids = sql.param(held.map(({ id }) => id))
  const attempts = sql.param(held.map(({ attempt }) => attempt))
  const kept = await executor
    .update(jobs)
    .set({ nextAt: newLease })
    .where(
      sql`${jobs.isHeld} and (${jobs.id}, ${jobs.attempt}) in (select * from unnest(${ids}::bigint[], ${attempts}::integer[]))`,
    )
    .returning({ id: jobs.id })
  return new Set(kept.map(({ id }) => id))
}

export async function finishJob(executor: Executor, job: Claim): Promise<void> {
  await executor.delete(jobs).where(isHeldAs(job))
}

export async function repeatJob(executor: Executor, job: Claim, seconds: number): Promise<void> {
  const runAt = inSeconds(seconds)
  await executor.execute(sql`
    update jobs set id = default, attempt = 0, is_held = false, last_error = null, run_at = ${runAt}, next_at = ${runAt}
    where ${isHeldAs(job)}`)
}

export async function failJob(executor: Executor, job: Claim, lastError: string): Promise<void> {
  await executor.update(jobs).set({ isHeld: false, nextAt: nextTry, lastError }).where(isHeldAs(job))
}

export async function releaseJob(executor: Executor, job: Claim): Promise<void> {
  await executor.update(jobs).set({ isHeld: false, nextAt: sql`now()` }).where(isHeldAs(job))
  await executor.execute(sql`select pg_notify(${CHANNEL}, '')`)
}

interface Repeating {
  queue: string
  repeatSeconds: number
}

/**
 * A clock that was ahead for a while left times that no clock will show for long: of a repeated job, of a retry, of a
 * lease. None of these waits longer than it may. When a job is due at first is its sender's to say. True where there was one.
 */
export async function recallJobsAhead(executor: Executor, repeating: Repeating[]): Promise<boolean> {
  const queues = sql.param(repeating.map(({ queue }) => queue))
  const seconds = sql.param(repeating.map(({ repeatSeconds }) => repeatSeconds))
  const limit = sql`case when jobs.is_held then ${2 * LEASE_SECONDS}
    when jobs.attempt > 0 then ${LAST_RETRY_SECONDS} else repeating.seconds end`
  const { rowCount } = await executor.execute(sql`
    update jobs set next_at = now() + make_interval(secs => case when jobs.is_held then ${LEASE_SECONDS} else 0 end)
    from jobs as ahead left join unnest(${queues}::text[], ${seconds}::float8[]) as repeating(queue, seconds)
      on repeating.queue = ahead.queue
    where jobs.id = ahead.id and jobs.next_at > now() + make_interval(secs => ${limit})`)
  return (rowCount ?? 0) > 0
}

/** For the only process of an embedded database: every earlier holder of a job is dead. */
export async function releaseAllJobs(executor: Executor): Promise<void> {
  await executor.update(jobs).set({ isHeld: false, nextAt: nextTry }).where(eq(jobs.isHeld, true))
}
