import { WEBHOOK_RECENT, type Webhook, type WebhookEventType, type WebhookTry } from '@catenary/contracts'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { users, webhooks } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

export type WebhookRow = typeof webhooks.$inferSelect
type WebhookFields = Partial<Omit<typeof webhooks.$inferInsert, 'id' | 'userId'>>

export async function insertWebhook(db: Executor, webhook: typeof webhooks.$inferInsert): Promise<number> {
  const [created] = await db.insert(webhooks).values(webhook).returning({ id: webhooks.id })
  if (created === undefined) throw new Error('A webhook was not created')
  return created.id
}

export async function lockOptionalWebhook(tx: Transaction, id: number): Promise<WebhookRow | undefined> {
  const [found] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('no key update')
  return found
}

export async function findOptionalWebhook(db: Executor, id: number): Promise<WebhookRow | undefined> {
  const [found] = await db.select().from(webhooks).where(eq(webhooks.id, id))
  return found
}

export function listWebhooks(db: Executor, userId: number): Promise<WebhookRow[]> {
  return db.select().from(webhooks).where(eq(webhooks.userId, userId)).orderBy(asc(webhooks.id))
}

export async function updateWebhook(
  db: Executor,
  { id, ...fields }: WebhookFields & { id: number },
): Promise<void> {
  await db.update(webhooks).set(fields).where(eq(webhooks.id, id))
}

export async function deleteWebhook(db: Executor, id: number): Promise<void> {
  await db.delete(webhooks).where(eq(webhooks.id, id))
}

export function listWanted(db: Executor): Promise<{ userId: number; events: WebhookEventType[] }[]> {
  return db
    .select({ userId: webhooks.userId, events: webhooks.events })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.userId))
    .where(and(eq(webhooks.isActive, true), ne(users.banned, true)))
}

export interface WebhookState extends Pick<Webhook, 'recent' | 'waiting'> {
  latestTry: WebhookTry | null
  retried: { id: number; tries: number; nextTryAt: string } | null
}

export async function listWebhookStates(db: Executor, ids: number[]): Promise<Map<number, WebhookState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number } & Record<keyof WebhookState, never>>(sql`
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

export async function countWebhookStates(
  db: Executor,
): Promise<Record<'waiting' | 'failing' | 'switchedOff', number>> {
  const { rows } = await db.execute<Record<'waiting' | 'failing' | 'switchedOff', number>>(sql`
    select
      (select count(*)::integer from webhook_deliveries where state = 'waiting') as waiting,
      count(*) filter (where is_active and failing_since is not null)::integer as failing,
      count(*) filter (where off_reason is not null)::integer as "switchedOff"
    from webhooks`)
  const [counts] = rows
  if (counts === undefined) throw new Error('A count has no row')
  return counts
}
