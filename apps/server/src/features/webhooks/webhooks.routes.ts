import {
  createdWebhook,
  createWebhookRequest,
  idParams,
  listQuery,
  updateWebhookRequest,
  webhook,
  webhookDelivery,
  webhookDeliveryParams,
  webhookList,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from './operations/change-webhook.ts'
import { listOwnDeliveries, listOwnWebhooks } from './operations/read-webhooks.ts'
import { sendAgain, sendTest } from './operations/send-by-hand.ts'
import type { WebhooksDeps } from './webhooks-deps.ts'

const tags = ['webhooks']
/** A reply that holds a secret is not kept for its key. */
const config = { idempotency: 'off' as const }

export function webhooksRoutes(deps: WebhooksDeps): Routes {
  return (app) => {
    endpointRoutes(app, deps)
    secretRoutes(app, deps)
    deliveryRoutes(app, deps)
  }
}

function endpointRoutes(app: HttpApp, deps: WebhooksDeps): void {
  app.get(
    '/api/webhooks',
    {
      schema: {
        tags,
        summary: 'Your webhooks',
        response: { 200: webhookList, ...errorReplies(401) },
      },
    },
    async (request) => listOwnWebhooks(deps, await requireUser(request)),
  )

  app.patch(
    '/api/webhooks/:id',
    {
      schema: {
        tags,
        summary: 'Change a webhook, or switch it on or off',
        params: idParams,
        body: updateWebhookRequest,
        response: { 200: webhook, ...errorReplies(401) },
      },
    },
    async (request) =>
      changeWebhook(deps, {
        id: request.params.id,
        fields: request.body,
        user: await requireUser(request),
      }),
  )

  defineDeleteRoute(app, '/api/webhooks/:id', {
    tags,
    summary: 'Remove a webhook with its deliveries',
    params: idParams,
    remove: async (call) => removeWebhook(deps, { id: call.params.id, user: await requireUser(call) }),
  })
}

function secretRoutes(app: HttpApp, deps: WebhooksDeps): void {
  app.post(
    '/api/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Add a webhook',
        description:
          'Events are posted to it as Standard Webhooks says, signed by the secret, which this reply alone shows.',
        body: createWebhookRequest,
        response: { 201: createdWebhook, ...errorReplies(401, 409) },
      },
    },
    async (request, reply) => {
      const created = await createWebhook(deps, { fields: request.body, user: await requireUser(request) })
      return reply.code(201).header('cache-control', 'no-store').send(created)
    },
  )

  app.post(
    '/api/webhooks/:id/rotate',
    {
      config,
      schema: {
        tags,
        summary: 'Give a webhook a new secret',
        description: 'The reply shows it. For a day what is sent is signed by the former one too.',
        params: idParams,
        response: { 200: createdWebhook, ...errorReplies(401) },
      },
    },
    async (request, reply) => {
      const rotated = await rotateSecret(deps, { id: request.params.id, user: await requireUser(request) })
      return reply.header('cache-control', 'no-store').send(rotated)
    },
  )
}

function deliveryRoutes(app: HttpApp, deps: WebhooksDeps): void {
  defineListRoute(app, '/api/webhooks/:id/deliveries', {
    tags,
    summary: 'What was sent to a webhook, newest first',
    params: idParams,
    querystring: listQuery,
    item: webhookDelivery,
    errors: errorReplies(401, 404),
    read: async (call) =>
      listOwnDeliveries(deps, { id: call.params.id, user: await requireUser(call), query: call.query }),
  })

  app.post(
    '/api/webhooks/:id/test',
    {
      schema: {
        tags,
        summary: 'Send a test to a webhook',
        description: 'The event `webhook.test`, as any other.',
        params: idParams,
        response: { 202: webhookDelivery, ...errorReplies(401, 409) },
      },
    },
    async (request, reply) => {
      const sent = await sendTest(deps, { id: request.params.id, user: await requireUser(request) })
      return reply.code(202).send(sent)
    },
  )

  app.post(
    '/api/webhooks/:id/deliveries/:deliveryId/send',
    {
      schema: {
        tags,
        summary: 'Send a delivery again, at once',
        description:
          'Under its `webhook-id`, once. Of one that waits it is a try beside the others; it is refused while an earlier delivery of the same object waits.',
        params: webhookDeliveryParams,
        response: { 202: webhookDelivery, ...errorReplies(401, 409) },
      },
    },
    async (request, reply) => {
      const sent = await sendAgain(deps, { ...request.params, user: await requireUser(request) })
      return reply.code(202).send(sent)
    },
  )
}
