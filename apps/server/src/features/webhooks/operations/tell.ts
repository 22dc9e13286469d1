import type { Transaction } from '../../../db/executor.ts'
import { insertDeliveries, lockLanes, makeFirstDue } from '../deliveries.repository.ts'
import { listRecipients, noteLeftOut } from '../recipients.repository.ts'
import type { WebhookEvent } from '../webhook-events.ts'
import { mintMessageId } from '../webhook-secrets.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'

/** In the transaction of what happened: a delivery for each webhook that is to be told. */
export async function tell(
  { now, queue }: Pick<WebhooksDeps, 'now' | 'queue'>,
  tx: Transaction,
  event: WebhookEvent,
): Promise<void> {
  const recipients = await listRecipients(tx, event)
  const full = recipients.filter(({ isFull }) => isFull).map(({ webhookId }) => webhookId)
  const told = recipients.filter(({ isFull }) => !isFull).map(({ webhookId }) => webhookId)
  if (full.length > 0) await noteLeftOut(tx, { ids: full, at: now() })
  await addDeliveries({ now, queue }, tx, { webhookIds: told, event })
}

/** Those that wait behind none of their object are tried at once. */
export async function addDeliveries(
  { now, queue }: Pick<WebhooksDeps, 'now' | 'queue'>,
  tx: Transaction,
  {
    webhookIds,
    event: { type, key, object, data },
  }: {
    webhookIds: readonly number[]
    event: { type: string } & Pick<WebhookEvent, 'key' | 'object' | 'data'>
  },
): Promise<number[]> {
  if (webhookIds.length === 0) return []
  const createdAt = now()
  await lockLanes(
    tx,
    webhookIds.map((webhookId) => ({ webhookId, object })),
  )
  const deliveries = webhookIds.map((webhookId) => {
    return { webhookId, type, key, object, data, createdAt, messageId: mintMessageId() }
  })
  const made = await insertDeliveries(tx, deliveries)
  const due = await makeFirstDue(tx, { ids: made, nextTryAt: createdAt })
  for (const deliveryId of due) await queue.send(tx, { deliveryId, tryCount: 0, isByHand: false })
  return made
}
