import { randomUUID } from 'node:crypto'
import {
  WEBHOOK_DELIVERY_DAYS,
  WEBHOOK_TEST,
  WEBHOOK_WAITING_MAX,
  type WebhookDelivery,
  type WebhookEventType,
  webhooksApi,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from './change-webhook.ts'
import { workDeliveries } from './deliver.ts'
import { countWaiting, deleteDeliveriesBefore, findOptionalDelivery } from './deliveries.sql.ts'
import { sendTry } from './delivery-queue.ts'
import {
  listOwnDeliveries,
  listOwnWebhooks,
  lockOwnWebhook,
  showDelivery,
  type WantedDelivery,
  type WantedWebhook,
  watchWebhooks,
} from './read-webhooks.ts'
import { addDeliveries } from './tell.ts'
import { wantedEvents } from './wanted-events.ts'

export { sealedWebhookSecrets } from './sealed-secrets.sql.ts'
export { tellEvent } from './tell.ts'
export { webhookRunEnds } from './tell-run-end.ts'
export { ACTIVITY_LANE, recordObject } from './webhook-events.ts'

const DAY_MS = 86_400_000

export async function beginWebhooks(ctx: Context): Promise<void> {
  await wantedEvents(ctx).begin()
  watchWebhooks(ctx)
  workDeliveries(ctx)
}

export const startWebhooks = (ctx: Context): void => wantedEvents(ctx).start()

export const closeWebhooks = (ctx: Context): Promise<void> => wantedEvents(ctx).close()

/** As far as this process knows. */
export const wantsEvent = (
  ctx: Context,
  { userId, type }: { userId: number; type: WebhookEventType },
): boolean => wantedEvents(ctx).wants(userId, type)

export const deleteOldDeliveries = ({ db, now }: Context): Promise<number> =>
  deleteDeliveriesBefore(db, new Date(now().getTime() - WEBHOOK_DELIVERY_DAYS * DAY_MS))

export const serveWebhooks = handlers(webhooksApi, {
  'GET /api/webhooks': listOwnWebhooks,
  'POST /api/webhooks': (ctx, { body, user }) => createWebhook(ctx, { fields: body, user }),
  'PATCH /api/webhooks/{id}': (ctx, { params, body, user }) =>
    changeWebhook(ctx, { ...params, fields: body, user }),
  'DELETE /api/webhooks/{id}': (ctx, { params, user }) => removeWebhook(ctx, { ...params, user }),
  'POST /api/webhooks/{id}/rotate': (ctx, { params, user }) => rotateSecret(ctx, { ...params, user }),
  'GET /api/webhooks/{id}/deliveries': (ctx, { params, query, user }) =>
    listOwnDeliveries(ctx, { ...params, user, query }),
  'POST /api/webhooks/{id}/test': (ctx, { params, user }) => sendTest(ctx, { ...params, user }),
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/send': (ctx, { params, user }) =>
    sendAgain(ctx, { ...params, user }),
})

async function sendTest(ctx: Context, wanted: WantedWebhook): Promise<WebhookDelivery> {
  const key = `test:${randomUUID()}`
  const [deliveryId = 0] = await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id, isActive } = await lockOwnWebhook(ctx, wanted)
    if (!isActive) throw isOff()
    if ((await countWaiting(db, id)) >= WEBHOOK_WAITING_MAX) {
      throw new AppError(
        'conflict',
        `${WEBHOOK_WAITING_MAX} deliveries are already waiting. Try again later.`,
      )
    }
    const event = { type: WEBHOOK_TEST, key, object: key, data: { webhookId: id } }
    return addDeliveries(ctx, { webhookIds: [id], event })
  })
  return showDelivery(ctx, { ...wanted, deliveryId })
}

/** One more try at once, under the same id; throws `conflict` where the order would break. */
async function sendAgain(ctx: Context, { deliveryId, ...wanted }: WantedDelivery): Promise<WebhookDelivery> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id, isActive } = await lockOwnWebhook(ctx, wanted)
    const delivery = await findOptionalDelivery(db, deliveryId)
    if (delivery?.webhookId !== id) throw new AppError('not_found', 'Delivery not found')
    if (!isActive) throw isOff()
    if (delivery.waitsBehind !== null) {
      throw new AppError('conflict', 'An earlier delivery about the same object must be sent first')
    }
    await sendTry(ctx, { deliveryId, tryCount: delivery.tryCount, isByHand: true })
  })
  return showDelivery(ctx, { ...wanted, deliveryId })
}

const isOff = () => new AppError('conflict', 'This webhook is switched off. Switch it on first.')
