import { LIST_PAGE_MAX, type Role, type User } from '@catenary/contracts'
import { and, desc, eq, getTableColumns, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { chains, scheduledRuns, users } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { hasKeptRuns } from '../../database/statements/kept-schedules.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'
import { chainsEditedBy, chainsVisibleTo } from '../../database/statements/visible-rows.ts'

const PAUSED = 'schedules-paused'

export type ScheduleRow = typeof scheduledRuns.$inferSelect
export type ScheduleFields = Omit<
  typeof scheduledRuns.$inferInsert,
  'id' | 'chainId' | 'createdBy' | 'revision' | 'createdAt' | 'updatedAt'
>

export interface OwnedSchedule {
  schedule: ScheduleRow
  creator: User
  isDisabled: boolean
}

function selectSchedules(
  db: Executor,
  input: SQL<string> | typeof scheduledRuns.input = scheduledRuns.input,
) {
  return db
    .select({
      schedule: { ...getTableColumns(scheduledRuns), input },
      inputLength: sql<number>`char_length(${scheduledRuns.input})`,
      creator: { id: users.id, username: users.displayUsername, email: users.email, role: users.role },
      isDisabled: users.banned,
    })
    .from(scheduledRuns)
    .innerJoin(users, eq(users.id, scheduledRuns.createdBy))
}

function toOwned({
  creator,
  inputLength: _,
  ...found
}: Awaited<ReturnType<typeof selectSchedules>>[number]): OwnedSchedule {
  return { ...found, creator: { ...creator, role: creator.role as Role } }
}

export async function findOptionalSchedule(db: Executor, id: number): Promise<OwnedSchedule | undefined> {
  const [found] = await selectSchedules(db).where(eq(scheduledRuns.id, id))
  return found && toOwned(found)
}

export async function lockOptionalSchedule(db: Transaction, id: number): Promise<OwnedSchedule | undefined> {
  const [found] = await selectSchedules(db)
    .where(eq(scheduledRuns.id, id))
    .for('update', { of: scheduledRuns })
  return found && toOwned(found)
}

interface Listing {
  chainId: number
  createdBy: number | undefined
}

function isListed({ chainId, createdBy }: Listing) {
  const isTheirs = createdBy === undefined ? undefined : eq(scheduledRuns.createdBy, createdBy)
  return and(eq(scheduledRuns.chainId, chainId), isTheirs)
}

export interface ListedRow {
  owned: OwnedSchedule
  inputLength: number
}

export async function listScheduleRows(
  db: Executor,
  { after, limit, ...listing }: Listing & { after: { time: string; id: number } | undefined; limit: number },
): Promise<ListedRow[]> {
  const isAfter =
    after &&
    sql`(${scheduledRuns.scheduledTime}, ${scheduledRuns.id}) < (${after.time}, ${after.id}::integer)`
  const rows = await selectSchedules(db, clipOf(scheduledRuns.input))
    .where(and(isListed(listing), isAfter))
    .orderBy(desc(scheduledRuns.scheduledTime), desc(scheduledRuns.id))
    .limit(limit)
  return rows.map((row) => ({ owned: toOwned(row), inputLength: row.inputLength }))
}

export function countSchedules(db: Executor, listing: Listing): Promise<number> {
  return db.$count(scheduledRuns, isListed(listing))
}

export function countSchedulesOf(db: Executor, userId: number): Promise<number> {
  return db.$count(scheduledRuns, eq(scheduledRuns.createdBy, userId))
}

/** Recurring ones that ran at, or were changed or planned while a clock showed, a time later than that. */
export async function listPlannedAhead(db: Executor, after: Date): Promise<number[]> {
  const ranAhead = sql`exists (
    select from scheduled_occurrences as ahead where ahead.scheduled_run_id = ${scheduledRuns.id} and ahead.due_at > ${after}
  )`
  const changedAhead = and(gt(scheduledRuns.updatedAt, after), eq(scheduledRuns.active, true))
  const found = await db
    .select({ id: scheduledRuns.id })
    .from(scheduledRuns)
    .where(and(eq(scheduledRuns.isRecurring, true), or(ranAhead, changedAhead)))
  return found.map(({ id }) => id)
}

export async function insertSchedule(
  db: Executor,
  schedule: ScheduleFields & { chainId: number; createdBy: number },
): Promise<number> {
  const [created] = await db.insert(scheduledRuns).values(schedule).returning({ id: scheduledRuns.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** What a person changed: a new revision, updated now. */
export async function updateScheduleRow(
  db: Executor,
  { id, ...fields }: Partial<ScheduleFields> & { id: number },
): Promise<void> {
  await db
    .update(scheduledRuns)
    .set({ ...fields, revision: sql`${scheduledRuns.revision} + 1`, updatedAt: sql`now()` })
    .where(eq(scheduledRuns.id, id))
}

/** What the program itself changes: no new revision, which would refuse an edit in progress. */
export async function updateScheduleState(
  db: Executor,
  { id, ...fields }: Partial<ScheduleFields> & { id: number },
): Promise<void> {
  await db.update(scheduledRuns).set(fields).where(eq(scheduledRuns.id, id))
}

export async function deleteScheduleRow(db: Executor, id: number): Promise<void> {
  await db.delete(scheduledRuns).where(eq(scheduledRuns.id, id))
}

export async function findTimeZone(db: Executor, userId: number): Promise<string | null> {
  const [found] = await db.select({ zone: users.timeZone }).from(users).where(eq(users.id, userId))
  return found?.zone ?? null
}

/** The chains that have a next time, of the schedules that `canSeeSchedule` lets the person see and whose runs are not kept from them. */
export async function listNextTimes(db: Executor, user: User) {
  const isAdmins = user.role === 'admin' ? chainsVisibleTo(user.id) : undefined
  return db
    .select({
      chainId: scheduledRuns.chainId,
      schedules: sql`count(*)`.mapWith(Number),
      nextDueAt: sql<Date>`min(${scheduledRuns.nextDueAt})`.mapWith(scheduledRuns.nextDueAt),
      timeZone: sql<string>`(array_agg(${scheduledRuns.timeZone} order by ${scheduledRuns.nextDueAt}, ${scheduledRuns.id}))[1]`,
    })
    .from(scheduledRuns)
    .innerJoin(chains, eq(chains.id, scheduledRuns.chainId))
    .where(
      and(
        eq(scheduledRuns.active, true),
        isNotNull(scheduledRuns.nextDueAt),
        or(
          eq(scheduledRuns.createdBy, user.id),
          and(or(eq(chains.ownerId, user.id), chainsEditedBy(user.id)), sql`not ${hasKeptRuns}`),
          isAdmins,
        ),
      ),
    )
    .groupBy(scheduledRuns.chainId)
    .orderBy(sql`min(${scheduledRuns.nextDueAt})`)
    .limit(LIST_PAGE_MAX)
}

export async function summariseSchedules(db: Executor, { now }: { now: Date }) {
  const [found] = await db
    .select({
      active: sql`count(*)`.mapWith(Number),
      nextDueAt: sql<Date | null>`min(${scheduledRuns.nextDueAt})`.mapWith(scheduledRuns.nextDueAt),
      overdue: sql`count(*) filter (where ${scheduledRuns.nextDueAt} < ${now})`.mapWith(Number),
    })
    .from(scheduledRuns)
    .where(eq(scheduledRuns.active, true))
  return found ?? { active: 0, nextDueAt: null, overdue: 0 }
}

export async function areSchedulesPaused(db: Executor): Promise<boolean> {
  return (await readSetting(db, PAUSED)) === true
}

export async function setSchedulesPaused(db: Executor, paused: boolean): Promise<void> {
  await writeSetting(db, { key: PAUSED, value: paused })
}
