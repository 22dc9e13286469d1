import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { insertDeliveries, lockLanes, makeFirstDue } from './deliveries.sql.ts'
import { sendTry } from './delivery-queue.ts'
import { listRecipients, noteLeftOut } from './recipients.sql.ts'
import type { WebhookEvent } from './webhook-events.ts'
import { mintMessageId } from './webhook-secrets.ts'

/** A delivery for each webhook that is to be told; in the transaction of what happened: rolled back, nothing is told. */
export function tellEvent(ctx: Context, event: WebhookEvent): Promise<void> {
  return transaction(ctx, (ctx) => tell(ctx, event))
}

async function tell(ctx: Context<Transaction>, event: WebhookEvent): Promise<void> {
  const { db, now } = ctx
  const recipients = await listRecipients(db, event)
  const full = recipients.filter(({ isFull }) => isFull).map(({ webhookId }) => webhookId)
  const told = recipients.filter(({ isFull }) => !isFull).map(({ webhookId }) => webhookId)
  if (full.length > 0) await noteLeftOut(db, { ids: full, at: now() })
  await addDeliveries(ctx, { webhookIds: told, event })
}

export async function addDeliveries(
  ctx: Context<Transaction>,
  {
    webhookIds,
    event: { type, key, object, data },
  }: {
    webhookIds: readonly number[]
    event: { type: string } & Pick<WebhookEvent, 'key' | 'object' | 'data'>
  },
): Promise<number[]> {
  if (webhookIds.length === 0) return []
  const { db, now } = ctx
  const createdAt = now()
  await lockLanes(
    db,
    webhookIds.map((webhookId) => ({ webhookId, object })),
  )
  const deliveries = webhookIds.map((webhookId) => {
    return { webhookId, type, key, object, data, createdAt, messageId: mintMessageId() }
  })
  const made = await insertDeliveries(db, deliveries)
  const due = await makeFirstDue(db, { ids: made, nextTryAt: createdAt })
  for (const deliveryId of due) await sendTry(ctx, { deliveryId, tryCount: 0, isByHand: false })
  return made
}
