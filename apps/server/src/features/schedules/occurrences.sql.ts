import type { OccurrenceState } from '@catenary/contracts'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { runs, scheduledOccurrences } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { isKeptRun } from '../../database/statements/open-runs.ts'

export type OccurrenceRow = typeof scheduledOccurrences.$inferSelect

/** Reserved by the occurrence, so that its run can be started once only. */
const newRunId = sql`nextval(pg_get_serial_sequence('executions', 'id'))`

interface NewOccurrence {
  scheduledRunId: number
  dueAt: Date
  isManual?: boolean
}

/** One that is to start; undefined while another one is under way, or where this one was recorded before. */
export async function insertPending(
  db: Executor,
  occurrence: NewOccurrence,
): Promise<OccurrenceRow | undefined> {
  const [created] = await db
    .insert(scheduledOccurrences)
    .values({ ...occurrence, state: 'pending', executionId: newRunId })
    .onConflictDoNothing()
    .returning()
  return created
}

/** Those whose runs wait for a person, or have since gone on. */
export function countWaiting(db: Executor, scheduledRunId: number): Promise<number> {
  const { scheduledRunId: schedule, state, waits } = scheduledOccurrences
  return db.$count(scheduledOccurrences, and(eq(schedule, scheduledRunId), eq(state, 'running'), waits))
}

interface NotStarted extends NewOccurrence {
  state: 'skipped' | 'missed'
  reason: string
}

/** Those that do not start; gives the ones that were not recorded before, in their order. */
export async function insertNotStarted(db: Executor, occurrences: NotStarted[]): Promise<OccurrenceRow[]> {
  if (occurrences.length === 0) return []
  return db.insert(scheduledOccurrences).values(occurrences).onConflictDoNothing().returning()
}

export async function findOptionalOccurrence(db: Executor, id: number): Promise<OccurrenceRow | undefined> {
  const [found] = await db.select().from(scheduledOccurrences).where(eq(scheduledOccurrences.id, id))
  return found
}

export async function findOptionalPending(
  db: Executor,
  scheduledRunId: number,
): Promise<OccurrenceRow | undefined> {
  const [found] = await db
    .select()
    .from(scheduledOccurrences)
    .where(
      and(eq(scheduledOccurrences.scheduledRunId, scheduledRunId), eq(scheduledOccurrences.state, 'pending')),
    )
  return found
}

export async function existsRun(db: Executor, id: number): Promise<boolean> {
  return (await db.$count(runs, eq(runs.id, id))) > 0
}

export async function markStarted(
  db: Executor,
  { id, startedAt }: { id: number; startedAt: Date },
): Promise<void> {
  await db
    .update(scheduledOccurrences)
    .set({
      state: sql`case when ${scheduledOccurrences.state} = 'pending' then 'running' else ${scheduledOccurrences.state} end`,
      startedAt: sql`coalesce(${scheduledOccurrences.startedAt}, ${startedAt})`,
    })
    .where(eq(scheduledOccurrences.id, id))
}

/** Those of a schedule that are dated later, to seconds before that time, in their order. */
export async function moveBackAhead(
  db: Transaction,
  { scheduledRunId, after, to }: { scheduledRunId: number; after: Date; to: Date },
): Promise<void> {
  await db.execute(sql`
    update scheduled_occurrences set due_at = ${to}::timestamptz - make_interval(secs => ahead.place)
    from (
      select id, row_number() over (order by due_at desc) as place from scheduled_occurrences
      where scheduled_run_id = ${scheduledRunId} and due_at > ${after}
    ) as ahead
    where scheduled_occurrences.id = ahead.id`)
}

interface Ended {
  id: number
  state: OccurrenceState
  reason: string | null
  endedAttempt: number
}

/** Whether it was marked: false where this end, or a later end of its run, was marked before. */
export async function markEnded(db: Transaction, { id, ...ended }: Ended): Promise<boolean> {
  const noted = await db
    .update(scheduledOccurrences)
    .set(ended)
    .where(
      and(
        eq(scheduledOccurrences.id, id),
        sql`(${scheduledOccurrences.endedAttempt} < ${ended.endedAttempt} or ${scheduledOccurrences.state} in ('pending', 'running'))`,
      ),
    )
    .returning({ id: scheduledOccurrences.id })
  return noted.length > 0
}

export async function deleteOccurrence(db: Executor, id: number): Promise<void> {
  await db.delete(scheduledOccurrences).where(eq(scheduledOccurrences.id, id))
}

export async function listLatest(
  db: Executor,
  { scheduleIds, limit }: { scheduleIds: number[]; limit: number },
): Promise<(OccurrenceRow & { hasRun: boolean; isKept: boolean })[]> {
  if (scheduleIds.length === 0) return []
  const ids = sql.param(scheduleIds)
  const latest = sql`(
    select latest.id from unnest(${ids}::integer[]) as wanted(id), lateral (
      select id from scheduled_occurrences where scheduled_run_id = wanted.id order by due_at desc limit ${limit}
    ) as latest
  )`
  const rows = await db
    .select({ occurrence: scheduledOccurrences, runId: runs.id, isKept: isKeptRun })
    .from(scheduledOccurrences)
    .leftJoin(runs, eq(runs.id, scheduledOccurrences.executionId))
    .where(inArray(scheduledOccurrences.id, latest))
    .orderBy(scheduledOccurrences.dueAt)
  return rows.map(({ occurrence, runId, isKept }) => ({
    ...occurrence,
    hasRun: runId !== null,
    // A run that does not exist yet, or no longer, may have been private.
    isKept: occurrence.executionId !== null && (runId === null || isKept),
  }))
}

export async function findLastLateness(db: Executor): Promise<number | undefined> {
  const [last] = await db
    .select({
      ms: sql`extract(epoch from ${scheduledOccurrences.startedAt} - ${scheduledOccurrences.dueAt}) * 1000`.mapWith(
        Number,
      ),
    })
    .from(scheduledOccurrences)
    .where(and(isNotNull(scheduledOccurrences.startedAt), eq(scheduledOccurrences.isManual, false)))
    .orderBy(sql`${scheduledOccurrences.id} desc`)
    .limit(1)
  return last?.ms
}

export async function deleteOccurrencesBefore(
  db: Executor,
  { before, kept }: { before: Date; kept: number },
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from scheduled_occurrences old where created_at < ${before} and (
      select count(*) from (
        select 1 from scheduled_occurrences later
        where later.scheduled_run_id = old.scheduled_run_id and later.due_at > old.due_at limit ${kept}
      ) as counted
    ) >= ${kept}`)
  return rowCount ?? 0
}
