import { webhooksApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from './operations/change-webhook.ts'
import { listOwnDeliveries, listOwnWebhooks } from './operations/read-webhooks.ts'
import { sendAgain, sendTest } from './operations/send-by-hand.ts'
import type { WebhooksDeps } from './webhooks-deps.ts'

export const webhooksRoutes = (deps: WebhooksDeps): Routes =>
  handlers(webhooksApi, {
    'GET /api/webhooks': (_, { user }) => listOwnWebhooks(deps, user),
    'POST /api/webhooks': (_, { body, user }) => createWebhook(deps, { fields: body, user }),
    'PATCH /api/webhooks/{id}': (_, { params, body, user }) =>
      changeWebhook(deps, { ...params, fields: body, user }),
    'DELETE /api/webhooks/{id}': (_, { params, user }) => removeWebhook(deps, { ...params, user }),
    'POST /api/webhooks/{id}/rotate': (_, { params, user }) => rotateSecret(deps, { ...params, user }),
    'GET /api/webhooks/{id}/deliveries': (_, { params, query, user }) =>
      listOwnDeliveries(deps, { ...params, user, query }),
    'POST /api/webhooks/{id}/test': (_, { params, user }) => sendTest(deps, { ...params, user }),
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/send': (_, { params, user }) =>
      sendAgain(deps, { ...params, user }),
  })
