import type { WebhookEventType } from '@catenary/contracts'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { users, webhooks } from '../../db/schema/index.ts'

export type WebhookRow = typeof webhooks.$inferSelect
type WebhookFields = Partial<Omit<typeof webhooks.$inferInsert, 'id' | 'userId'>>

/** Creating of one person's webhooks comes one after the other. */
export async function lockWebhooksOf(tx: Transaction, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhooks'), ${userId})`)
}

export function countWebhooks(executor: Executor, userId: number): Promise<number> {
  return executor.$count(webhooks, eq(webhooks.userId, userId))
}

export async function insertWebhook(
  executor: Executor,
  webhook: typeof webhooks.$inferInsert,
): Promise<number> {
  const [created] = await executor.insert(webhooks).values(webhook).returning({ id: webhooks.id })
  if (created === undefined) throw new Error('A webhook was not created')
  return created.id
}

/** Beside it deliveries of its own are written, but not ended. */
export async function lockOptionalWebhook(tx: Transaction, id: number): Promise<WebhookRow | undefined> {
  const [found] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('no key update')
  return found
}

export async function findOptionalWebhook(executor: Executor, id: number): Promise<WebhookRow | undefined> {
  const [found] = await executor.select().from(webhooks).where(eq(webhooks.id, id))
  return found
}

export function listWebhooks(executor: Executor, userId: number): Promise<WebhookRow[]> {
  return executor.select().from(webhooks).where(eq(webhooks.userId, userId)).orderBy(asc(webhooks.id))
}

export async function updateWebhook(
  executor: Executor,
  { id, ...fields }: WebhookFields & { id: number },
): Promise<void> {
  await executor.update(webhooks).set(fields).where(eq(webhooks.id, id))
}

export async function deleteWebhook(executor: Executor, id: number): Promise<void> {
  await executor.delete(webhooks).where(eq(webhooks.id, id))
}

/** What people whose accounts are not disabled want to be told. */
export function listWanted(executor: Executor): Promise<{ userId: number; events: WebhookEventType[] }[]> {
  return executor
    .select({ userId: webhooks.userId, events: webhooks.events })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.userId))
    .where(and(eq(webhooks.isActive, true), ne(users.banned, true)))
}
