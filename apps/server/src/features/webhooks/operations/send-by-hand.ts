import { randomUUID } from 'node:crypto'
import { WEBHOOK_TEST, WEBHOOK_WAITING_MAX, type WebhookDelivery } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { countWaiting, findOptionalDelivery } from '../deliveries.repository.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'
import { lockOwnWebhook, showDelivery, type WantedDelivery, type WantedWebhook } from './read-webhooks.ts'
import { addDeliveries } from './tell.ts'

/** An event of its own, to see whether the endpoint takes it. */
export async function sendTest(deps: WebhooksDeps, wanted: WantedWebhook): Promise<WebhookDelivery> {
  const key = `test:${randomUUID()}`
  const [deliveryId = 0] = await deps.db.transaction(async (tx) => {
    const { id, isActive } = await lockOwnWebhook(tx, wanted)
    if (!isActive) throw isOff()
    if ((await countWaiting(tx, id)) >= WEBHOOK_WAITING_MAX) {
      throw new AppError('conflict', `${WEBHOOK_WAITING_MAX} deliveries wait already`)
    }
    const event = { type: WEBHOOK_TEST, key, object: key, data: { webhookId: id } }
    return addDeliveries(deps, tx, { webhookIds: [id], event })
  })
  return showDelivery(deps, { ...wanted, deliveryId })
}

/** One more try at once, under the same id; throws `conflict` where the order would break. */
export async function sendAgain(
  deps: WebhooksDeps,
  { deliveryId, ...wanted }: WantedDelivery,
): Promise<WebhookDelivery> {
  await deps.db.transaction(async (tx) => {
    const { id, isActive } = await lockOwnWebhook(tx, wanted)
    const delivery = await findOptionalDelivery(tx, deliveryId)
    if (delivery?.webhookId !== id) throw new AppError('not_found', 'Delivery not found')
    if (!isActive) throw isOff()
    if (delivery.waitsBehind !== null) {
      throw new AppError('conflict', 'An earlier delivery of the same object is sent first')
    }
    await deps.queue.send(tx, { deliveryId, tryCount: delivery.tryCount, isByHand: true })
  })
  return showDelivery(deps, { ...wanted, deliveryId })
}

const isOff = () => new AppError('conflict', 'This webhook is switched off. Switch it on first.')
