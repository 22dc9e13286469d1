import { and, eq, inArray, lt, max, sql } from 'drizzle-orm'
import * as z from 'zod'
import { activity, activityLinks } from '../../database/schema/index.ts'
import {
  CHAIN_END,
  type ChainEnd,
  chainEnd,
  dayOf,
  isoOf,
  ROW_TEXT,
} from '../../database/statements/activity-chain.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'

export { type ChainEnd, hashOfLink } from '../../database/statements/activity-chain.ts'

export async function findChainEnd(db: Executor): Promise<ChainEnd | undefined> {
  return chainEnd.safeParse(await readSetting(db, CHAIN_END)).data
}

export function saveChainEnd(tx: Transaction, end: ChainEnd): Promise<void> {
  return writeSetting(tx, { key: CHAIN_END, value: end })
}

/** One process at a time makes the chain longer, or shorter at its beginning. */
export async function lockChain(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('activity links'))`)
}

/** One process at a time sends what is next. */
export async function lockSending(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('activity sent'))`)
}

/** Where the rows go that are sent on; the key of the setting that says how far. */
type SentTo = 'activity-sent' | 'activity-syslog'
const sent = z.object({ number: z.int() })

/** The number of the last link that was sent there; 0: none was. */
export async function findSentNumber(db: Executor, to: SentTo): Promise<number> {
  return sent.safeParse(await readSetting(db, to)).data?.number ?? 0
}

export function saveSentNumber(db: Executor, { to, number }: { to: SentTo; number: number }): Promise<void> {
  return writeSetting(db, { key: to, value: { number } })
}

export async function readClock(db: Executor): Promise<{ now: string; today: string }> {
  const { rows } = await db.execute<{ now: string; today: string }>(
    sql.raw(`select ${isoOf('clock_timestamp()')} as now, ${dayOf('clock_timestamp()')} as today`),
  )
  const [clock] = rows
  if (clock === undefined) throw new Error('a clock gives its time')
  return clock
}

interface Unlinked extends Record<string, unknown> {
  id: number
  at: string
  day: string
  row: string
}

/** In the order in which they were begun. `since` bounds the search; a row that commits late is dated when it began. */
export async function listUnlinked(
  db: Executor,
  { since, limit }: { since: Date | null; limit: number },
): Promise<Unlinked[]> {
  const bound = since === null ? sql`true` : sql`a.at >= ${since.toISOString()}::timestamptz`
  const { rows } = await db.execute<Unlinked>(sql`
    select a.id, ${sql.raw(isoOf('a.at'))} as at, ${sql.raw(dayOf('a.at'))} as day, ${sql.raw(ROW_TEXT)} as row
    from activity a
    where ${bound} and not exists (select from activity_links l where l.activity_id = a.id)
    order by a.id limit ${limit}`)
  return rows
}

type NewLink = typeof activityLinks.$inferInsert

export async function insertLinks(tx: Transaction, links: NewLink[]): Promise<void> {
  await tx.insert(activityLinks).values(links)
}

export async function findOptionalFirstDay(
  db: Executor,
  { from }: { from: string | null },
): Promise<string | undefined> {
  const { rows } = await db.execute<{ day: string | null }>(
    sql`select min(day) as day from activity_links where day >= ${from ?? ''}`,
  )
  return rows[0]?.day ?? undefined
}

/** Its rows, and its links but the last. */
export async function deleteDay(tx: Transaction, day: string): Promise<number> {
  const ofDay = eq(activityLinks.day, day)
  await tx.execute(sql`select set_config('catenary.ended_days', 'deleted', true)`)
  const linked = tx.select({ id: activityLinks.activityId }).from(activityLinks).where(ofDay)
  const { rowCount } = await tx.delete(activity).where(inArray(activity.id, linked))
  const [last] = await tx
    .select({ number: max(activityLinks.number) })
    .from(activityLinks)
    .where(ofDay)
  await tx.delete(activityLinks).where(and(ofDay, lt(activityLinks.number, last?.number ?? 0)))
  await tx.execute(sql`select set_config('catenary.ended_days', '', true)`)
  return rowCount ?? 0
}

export async function countLastMinute(db: Executor): Promise<number> {
  return db.$count(activity, sql`${activity.at} > now() - interval '1 minute'`)
}
