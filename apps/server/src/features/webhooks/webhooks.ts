import { WEBHOOK_DELIVERY_DAYS, type WebhookEventType, webhooksApi } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from './change-webhook.ts'
import { workDeliveries } from './deliver.ts'
import { deleteDeliveriesBefore } from './deliveries.sql.ts'
import { listOwnDeliveries, listOwnWebhooks } from './read-webhooks.ts'
import { sendAgain, sendTest } from './send-by-hand.ts'
import { wantedEvents } from './wanted-events.ts'
import { watchWebhooks } from './webhooks.metrics.ts'

export { sealedWebhookSecrets } from './sealed-secrets.sql.ts'
export { tellEvent } from './tell.ts'
export { webhookRunEnds } from './tell-run-end.ts'
export { recordObject } from './webhook-events.ts'

const DAY_MS = 86_400_000

export async function beginWebhooks(ctx: Context): Promise<void> {
  await wantedEvents(ctx).begin()
  if (ctx.metrics !== undefined) watchWebhooks(ctx, ctx.metrics)
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
