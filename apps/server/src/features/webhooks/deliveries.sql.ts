import { WEBHOOK_DELIVERIES_KEPT } from '@catenary/contracts'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { webhookDeliveries, webhooks } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type ListedDelivery = DeliveryRow & { waitsBehind: number | null }

export interface Lane {
  webhookId: number
  object: string
}

/** Of a lane, what begins to wait and what ends come one after the other, in one order for all. */
export async function lockLanes(tx: Transaction, lanes: readonly Lane[]): Promise<void> {
  const names = sql.param(lanes.map(({ webhookId, object }) => `${webhookId} ${object}`))
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtext('webhook deliveries'), lane) from (
      select distinct hashtext(name) as lane from unnest(${names}::text[]) as name order by 1
    ) as lanes`)
}

type NewDelivery = Omit<typeof webhookDeliveries.$inferInsert, 'id'>

export async function insertDeliveries(db: Executor, deliveries: NewDelivery[]): Promise<number[]> {
  if (deliveries.length === 0) return []
  const made = await db
    .insert(webhookDeliveries)
    .values(deliveries)
    .onConflictDoNothing()
    .returning({ id: webhookDeliveries.id })
  return made.map(({ id }) => id)
}

const before = sql`(
  select min(earlier.id) from webhook_deliveries as earlier
  where earlier.webhook_id = ${webhookDeliveries.webhookId} and earlier.object = ${webhookDeliveries.object}
    and earlier.state = 'waiting' and earlier.id < ${webhookDeliveries.id}
)`

/** Of these, those that wait behind none are due then; gives their ids. Their lanes are locked. */
export async function makeFirstDue(
  tx: Transaction,
  { ids, nextTryAt }: { ids: number[]; nextTryAt: Date },
): Promise<number[]> {
  const due = await tx
    .update(webhookDeliveries)
    .set({ nextTryAt })
    .where(
      sql`${webhookDeliveries.id} = any(${sql.param(ids)}::integer[]) and ${webhookDeliveries.state} = 'waiting' and ${before} is null`,
    )
    .returning({ id: webhookDeliveries.id })
  return due.map(({ id }) => id)
}

export async function findOptionalNext(
  tx: Transaction,
  { webhookId, object }: Lane,
): Promise<number | undefined> {
  const [next] = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.object, object),
        eq(webhookDeliveries.state, 'waiting'),
      ),
    )
    .orderBy(webhookDeliveries.id)
    .limit(1)
  return next?.id
}

export async function findOptionalDelivery(db: Executor, id: number): Promise<ListedDelivery | undefined> {
  const [found] = await db.select(listed).from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  return found && toListed(found)
}

const listed = { row: webhookDeliveries, waitsBehind: sql<number | null>`${before}` }
const toListed = ({
  row,
  waitsBehind,
}: {
  row: DeliveryRow
  waitsBehind: number | null
}): ListedDelivery => ({
  ...row,
  waitsBehind: row.state === 'waiting' ? waitsBehind : null,
})

export async function listDeliveries(
  db: Executor,
  { webhookId, before: cursor, limit }: { webhookId: number; before: number | undefined; limit: number },
): Promise<ListedDelivery[]> {
  const rows = await db
    .select(listed)
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        cursor === undefined ? undefined : lt(webhookDeliveries.id, cursor),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
  return rows.map(toListed)
}

export function countDeliveries(db: Executor, webhookId: number): Promise<number> {
  return db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, webhookId))
}

export function countWaiting(db: Executor, webhookId: number): Promise<number> {
  const { state } = webhookDeliveries
  return db.$count(webhookDeliveries, and(eq(webhookDeliveries.webhookId, webhookId), eq(state, 'waiting')))
}

export async function updateDelivery(
  db: Executor,
  { id, ...fields }: Partial<NewDelivery> & { id: number },
): Promise<void> {
  await db.update(webhookDeliveries).set(fields).where(eq(webhookDeliveries.id, id))
}

export async function dropWaiting(
  db: Executor,
  { webhookId, endedAt }: { webhookId: number; endedAt: Date },
): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ state: 'dropped', endedAt, nextTryAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')))
}

export async function deleteDeliveriesBefore(db: Executor, endedBefore: Date): Promise<number> {
  const beyond = sql`(
    select kept.id from ${webhooks}, lateral (
      select id from webhook_deliveries where webhook_id = ${webhooks.id} order by id desc offset ${WEBHOOK_DELIVERIES_KEPT}
    ) as kept
  )`
  const { rowCount } = await db
    .delete(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.state} <> 'waiting' and (${webhookDeliveries.endedAt} < ${endedBefore} or ${webhookDeliveries.id} in ${beyond})`,
    )
  return rowCount ?? 0
}
