import { randomUUID } from 'node:crypto'
import { WEBHOOK_TEST, WEBHOOK_WAITING_MAX, type WebhookDelivery } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { countWaiting, findOptionalDelivery } from './deliveries.sql.ts'
import { sendTry } from './delivery-queue.ts'
import { lockOwnWebhook, showDelivery, type WantedDelivery, type WantedWebhook } from './read-webhooks.ts'
import { addDeliveries } from './tell.ts'

export async function sendTest(ctx: Context, wanted: WantedWebhook): Promise<WebhookDelivery> {
  const key = `test:${randomUUID()}`
  const [deliveryId = 0] = await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id, isActive } = await lockOwnWebhook(ctx, wanted)
    if (!isActive) throw isOff()
    if ((await countWaiting(db, id)) >= WEBHOOK_WAITING_MAX) {
      throw new AppError('conflict', `${WEBHOOK_WAITING_MAX} deliveries wait already`)
    }
    const event = { type: WEBHOOK_TEST, key, object: key, data: { webhookId: id } }
    return addDeliveries(ctx, { webhookIds: [id], event })
  })
  return showDelivery(ctx, { ...wanted, deliveryId })
}

/** One more try at once, under the same id; throws `conflict` where the order would break. */
export async function sendAgain(
  ctx: Context,
  { deliveryId, ...wanted }: WantedDelivery,
): Promise<WebhookDelivery> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id, isActive } = await lockOwnWebhook(ctx, wanted)
    const delivery = await findOptionalDelivery(db, deliveryId)
    if (delivery?.webhookId !== id) throw new AppError('not_found', 'Delivery not found')
    if (!isActive) throw isOff()
    if (delivery.waitsBehind !== null) {
      throw new AppError('conflict', 'An earlier delivery of the same object is sent first')
    }
    await sendTry(ctx, { deliveryId, tryCount: delivery.tryCount, isByHand: true })
  })
  return showDelivery(ctx, { ...wanted, deliveryId })
}

const isOff = () => new AppError('conflict', 'This webhook is switched off. Switch it on first.')
