import { sql } from 'drizzle-orm'
import { usageCalls } from '../../database/schema/index.ts'
import type { Database } from '../../database/statements/executor.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'

/** One process at a time: two would wait for each other's rows in a circle. */
const LOCK = 7_260_301

/** Four buckets each time it doubles. */
const bucketOf = sql.raw('floor(4 * ln(greatest(ms, 1)) / ln(2))::smallint')

/** Adds up to so many uncounted rows to the sums, their person's and everyone's; returns how many there were. */
function addToSums(db: Database, most: number): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
    const { rows } = await tx.execute<{ taken: number }>(sql`
      with taken as (
        delete from ${usageCalls} where ctid in (select ctid from ${usageCalls} limit ${most}) returning *
      ), each as (
        select taken.*, date_bin('15 minutes', at, 'epoch') as slot, scope
        from taken cross join lateral (values (user_id), (0)) as scopes (scope)
      ), slots as (
        insert into usage_slots as kept
          (user_id, at, completed, failed, cancelled, input_tokens, output_tokens, cached_tokens, cost_nanos, saved_nanos, uncounted)
        select scope, slot, count(*) filter (where outcome = 'completed'), count(*) filter (where outcome = 'failed'),
          count(*) filter (where outcome = 'cancelled'), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),
          coalesce(sum(cached_tokens), 0), coalesce(sum(cost_nanos), 0), coalesce(sum(saved_nanos), 0),
          count(*) filter (where model is not null and cost_nanos is null)
        from each group by scope, slot
        on conflict (user_id, at) do update set
          completed = kept.completed + excluded.completed, failed = kept.failed + excluded.failed,
          cancelled = kept.cancelled + excluded.cancelled, input_tokens = kept.input_tokens + excluded.input_tokens,
          output_tokens = kept.output_tokens + excluded.output_tokens,
          cached_tokens = kept.cached_tokens + excluded.cached_tokens, cost_nanos = kept.cost_nanos + excluded.cost_nanos,
          saved_nanos = kept.saved_nanos + excluded.saved_nanos, uncounted = kept.uncounted + excluded.uncounted
      ), times as (
        insert into usage_times as kept (user_id, at, measure, bucket, runs)
        select scope, slot, measure, ${bucketOf}, count(*)
        from each cross join lateral (values
          ('whole', case when outcome = 'completed' then duration_ms end),
          ('firstText', case when model is not null then first_text_ms end)
        ) as measures (measure, ms)
        where ms is not null group by 1, 2, 3, 4
        on conflict (user_id, at, measure, bucket) do update set runs = kept.runs + excluded.runs
      ), items as (
        insert into usage_items as kept (user_id, grain, at, dimension, key, runs, cost_nanos, uncounted)
        select scope, grain, began, dimension, key, count(counts), coalesce(sum(cost_nanos), 0),
          count(*) filter (where model is not null and cost_nanos is null)
        from each
        cross join lateral (values ('day', date_trunc('day', at, 'UTC')), ('slot', slot)) as grains (grain, began)
        cross join lateral (values
          ('model', model, model), ('reason', case when outcome = 'failed' then coalesce(reason, 'internal') end, 'run'),
          ('prompt', prompt_id::text, outcome::text), ('chain', chain_id::text, outcome::text),
          ('source', source, outcome::text),
          ('person', case when scope = 0 then user_id::text end, outcome::text)
        ) as dimensions (dimension, key, counts)
        where key is not null group by 1, 2, 3, 4, 5
        on conflict (user_id, grain, at, dimension, key) do update set runs = kept.runs + excluded.runs,
          cost_nanos = kept.cost_nanos + excluded.cost_nanos, uncounted = kept.uncounted + excluded.uncounted
      )
      select count(*)::integer as taken from taken`)
    return rows[0]?.taken ?? 0
  })
}

/** Large, so that a long backlog is not scanned again for each slice: deleted rows are still passed over. */
const BATCH = 20_000

export async function addAllToSums(db: Database, { signal }: { signal: AbortSignal }): Promise<void> {
  while ((await runLongStatement(db, () => addToSums(db, BATCH))) === BATCH) signal.throwIfAborted()
}

const NEWEST = 5_000

/** For as many as a person can wait for: enough for what ends between two times, except on very busy instances. */
export async function addNewestToSums(db: Database): Promise<void> {
  await addToSums(db, NEWEST)
}
