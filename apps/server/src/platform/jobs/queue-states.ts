import { ACTIVITY_COUNTED, type QueueState } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../database/statements/executor.ts'

interface Counted {
  queue: string
  due: number
  later: number
  failing: number
  held: number
  oldest_ms: number | null
}

/** The queues of these that have jobs, in figures; of each at most `ACTIVITY_COUNTED` jobs are looked at, the longest due first. */
export async function readQueueStates(executor: Executor, queues: string[]): Promise<QueueState[]> {
  const { rows } = await executor.execute<Counted & Record<string, unknown>>(sql`
    select wanted.queue,
      count(*) filter (where not is_held and next_at <= now())::integer as due,
      count(*) filter (where not is_held and next_at > now())::integer as later,
      count(*) filter (where not is_held and last_error is not null)::integer as failing,
      count(*) filter (where is_held)::integer as held,
      (extract(epoch from min(next_at) filter (where next_at <= now())) * 1000)::float8 as oldest_ms
    from unnest(${sql.param(queues)}::text[]) as wanted(queue), lateral (
      select next_at, is_held, last_error from jobs where jobs.queue = wanted.queue
      order by next_at limit ${ACTIVITY_COUNTED}
    ) as looked_at
    group by wanted.queue order by wanted.queue`)
  return rows.map(({ queue, due, later, failing, held, oldest_ms }) => ({
    queue,
    due,
    later,
    failing,
    held,
    oldestDueAt: oldest_ms === null ? null : new Date(oldest_ms).toISOString(),
  }))
}
