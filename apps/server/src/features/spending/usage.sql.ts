import { USAGE_LISTED } from '@catenary/contracts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { chains, groupMembers, groups, prompts, type usageItems, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { chainsVisibleTo, promptsVisibleTo } from '../../database/statements/visible-rows.ts'

export const EVERYONE = 0

/** When days begin by a zone's clock: of so many before today, of today, and of tomorrow. */
export async function findDayBounds(
  db: Executor,
  { now, timeZone, days }: { now: Date; timeZone: string; days: number },
): Promise<{ at: Date; date: string }[]> {
  const { rows } = await db.execute<{ at: string; date: string }>(sql`
    with today as (select (${now.toISOString()}::timestamptz at time zone ${timeZone})::date as date)
    select to_char((day at time zone ${timeZone}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      to_char(day, 'YYYY-MM-DD') as date
    from today, generate_series((date - ${days}::integer)::timestamp, (date + 1)::timestamp, '1 day') as day
    order by day`)
  return rows.map(({ at, date }) => ({ at: new Date(at), date }))
}

export async function findTimeZone(db: Executor, id: number): Promise<string | null> {
  const [found] = await db.select({ timeZone: users.timeZone }).from(users).where(eq(users.id, id))
  return found?.timeZone ?? null
}

interface Span {
  userId: number
  bounds: Date[]
}

const dayOf = (bounds: Date[]) => sql`width_bucket(at, ${toArray(bounds)})`

const toArray = (dates: Date[]) =>
  sql`${`{${dates.map((date) => date.toISOString()).join(',')}}`}::timestamptz[]`

const within = ({ userId, bounds }: Span) =>
  sql`user_id = ${userId} and at >= ${bounds[0]?.toISOString()}::timestamptz
    and at < ${bounds.at(-1)?.toISOString()}::timestamptz`

export interface DaySums {
  day: number
  completed: number
  failed: number
  cancelled: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costNanos: number
  savedNanos: number
  uncounted: number
}

export async function listDaySums(db: Executor, span: Span): Promise<DaySums[]> {
  const { rows } = await db.execute<DaySums & Record<string, unknown>>(sql`
    select ${dayOf(span.bounds)} as day, sum(completed)::integer as completed, sum(failed)::integer as failed,
      sum(cancelled)::integer as cancelled, sum(input_tokens)::double precision as "inputTokens",
      sum(output_tokens)::double precision as "outputTokens", sum(cached_tokens)::double precision as "cachedTokens",
      sum(cost_nanos)::double precision as "costNanos", sum(saved_nanos)::double precision as "savedNanos",
      sum(uncounted)::integer as uncounted
    from usage_slots where ${within(span)} group by 1`)
  return rows
}

export interface TimeBucket {
  day: number
  measure: 'whole' | 'firstText'
  bucket: number
  runs: number
}

export async function listTimeBuckets(db: Executor, span: Span): Promise<TimeBucket[]> {
  const { rows } = await db.execute<TimeBucket & Record<string, unknown>>(sql`
    select ${dayOf(span.bounds)} as day, measure, bucket::integer as bucket, sum(runs)::integer as runs
    from usage_times where ${within(span)} group by 1, 2, 3 order by 3`)
  return rows
}

export interface ItemSums {
  dimension: (typeof usageItems.$inferSelect)['dimension'] | 'group'
  key: string
  runs: number
  costNanos: number
  uncounted: number
  count: number
}

/** The first rows of each dimension; whole UTC days are read by the day, the rest of the time by the quarter of an hour. */
export async function listItemSums(
  db: Executor,
  { userId, from, to }: { userId: number; from: Date; to: Date },
): Promise<ItemSums[]> {
  const { rows } = await db.execute<ItemSums & Record<string, unknown>>(sql`
    with bounds as (
      select first, last, least(date_trunc('day', first + interval '1 day' - interval '1 millisecond', 'UTC'), last) as days,
        greatest(date_trunc('day', last, 'UTC'), first) as end_of_days
      from (select ${from.toISOString()}::timestamptz as first, ${to.toISOString()}::timestamptz as last) as span
    ), parts as (
      select 'day' as grain, days as starts, end_of_days as ends from bounds
      union all select 'slot', first, days from bounds
      union all select 'slot', greatest(end_of_days, days), last from bounds
    ), counted as (
      select dimension, key, runs, cost_nanos, uncounted
      from parts join usage_items as item
        on item.user_id = ${userId} and item.grain = parts.grain and at >= starts and at < ends
    ), summed as (
      select dimension, key, sum(runs)::integer as runs, sum(cost_nanos)::double precision as "costNanos",
        sum(uncounted)::integer as uncounted
      from (
        select * from counted
        union all
        select 'group', member.group_id::text, runs, cost_nanos, uncounted
        from counted join ${groupMembers} as member on dimension = 'person' and member.user_id::text = key
      ) as whose
      group by 1, 2
    )
    select * from (
      select *, count(*) over (partition by dimension)::integer as count, row_number() over (
        partition by dimension
        order by case when dimension = 'model' then "costNanos" end desc nulls last, runs desc, "costNanos" desc, key
      ) as place from summed
    ) as ranked where place <= ${USAGE_LISTED} order by dimension, place`)
  return rows
}

export async function listPromptNames(db: Executor, { ids, viewerId }: { ids: number[]; viewerId: number }) {
  return db
    .select({ id: prompts.id, name: prompts.title })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(viewerId)))
}

export async function listChainNames(db: Executor, { ids, viewerId }: { ids: number[]; viewerId: number }) {
  return db
    .select({ id: chains.id, name: chains.name })
    .from(chains)
    .where(and(inArray(chains.id, ids), chainsVisibleTo(viewerId)))
}

export async function listGroupNames(db: Executor, { ids }: { ids: number[] }) {
  return db.select({ id: groups.id, name: groups.name }).from(groups).where(inArray(groups.id, ids))
}

export async function listUsernames(db: Executor, { ids }: { ids: number[] }) {
  return db.select({ id: users.id, name: users.displayUsername }).from(users).where(inArray(users.id, ids))
}
