import { WEBHOOK_RECENT, type Webhook, type WebhookTry } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'

export interface WebhookState extends Pick<Webhook, 'recent' | 'waiting'> {
  latestTry: WebhookTry | null
  retried: { id: number; tries: number; nextTryAt: string } | null
}

/** What became of the deliveries of each. */
export async function listWebhookStates(
  executor: Executor,
  ids: number[],
): Promise<Map<number, WebhookState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await executor.execute<{ id: number } & Record<keyof WebhookState, never>>(sql`
    select hook.id,
      (select count(*)::integer from webhook_deliveries
        where webhook_id = hook.id and state = 'waiting') as waiting,
      (select coalesce(json_agg(json_build_object('id', newest.id, 'state', newest.state) order by newest.id), '[]') from (
        select id, state from webhook_deliveries where webhook_id = hook.id order by id desc limit ${WEBHOOK_RECENT}
      ) as newest) as recent,
      (select tries -> -1 from webhook_deliveries where webhook_id = hook.id and tries <> '[]'
        order by tries -> -1 ->> 'at' desc limit 1) as "latestTry",
      (select json_build_object('id', id, 'tries', try_count, 'nextTryAt', next_try_at) from webhook_deliveries
        where webhook_id = hook.id and state = 'waiting' and try_count > 0 and next_try_at is not null
        order by id limit 1) as retried
    from unnest(${sql.param(ids)}::integer[]) as hook(id)`)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}

/** How webhooks do, those of all people together. */
export async function countWebhookStates(
  executor: Executor,
): Promise<Record<'waiting' | 'failing' | 'switchedOff', number>> {
  const { rows } = await executor.execute<Record<'waiting' | 'failing' | 'switchedOff', number>>(sql`
    select
      (select count(*)::integer from webhook_deliveries where state = 'waiting') as waiting,
      count(*) filter (where is_active and failing_since is not null)::integer as failing,
      count(*) filter (where off_reason is not null)::integer as "switchedOff"
    from webhooks`)
  const [counts] = rows
  if (counts === undefined) throw new Error('A count has no row')
  return counts
}
