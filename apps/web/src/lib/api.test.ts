import { createdWebhook, webhook, webhookDelivery, webhookList } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { api, apiPage, apiPath } from './api.ts'

const body = { url: 'https://example.org', events: ['run.failed' as const] }
const params = { id: 1 }

/** None of these compiles: `tsc` says so where one does. None is called. */
const wrong = {
  // @ts-expect-error No such path.
  path: () => api('GET /api/webhook', { reply: webhookList }),
  // @ts-expect-error No such method there.
  method: () => api('PUT /api/webhooks/{id}', { params, body, reply: webhook }),
  // @ts-expect-error No such parameter.
  param: () => api('PATCH /api/webhooks/{id}', { params: { name: 'x' }, body, reply: webhook }),
  // @ts-expect-error A parameter is missing.
  noParam: () => api('PATCH /api/webhooks/{id}', { body, reply: webhook }),
  // @ts-expect-error No such query.
  query: () => apiPath('GET /api/webhooks/{id}/deliveries', { params, query: { sort: 'name' } }),
  // @ts-expect-error A field of the body is wrong.
  field: () => api('POST /api/webhooks', { body: { ...body, title: 'x' }, created: createdWebhook }),
  // @ts-expect-error A field of the body is missing.
  noField: () => api('POST /api/webhooks', { body: { url: body.url }, created: createdWebhook }),
  // @ts-expect-error Another endpoint's reply.
  reply: () => api('PATCH /api/webhooks/{id}', { params, body, reply: webhookDelivery }),
  // @ts-expect-error A reply that is made is not one that is read.
  kind: () => api('POST /api/webhooks', { body, reply: createdWebhook }),
  // @ts-expect-error What is no list has no pages.
  page: () => apiPage('GET /api/webhooks', { list: webhook }),
  // @ts-expect-error What is not replied can't be read.
  replied: async () => (await api('DELETE /api/webhooks/{id}', { params })).id,
  // @ts-expect-error A reply without its schema.
  unchecked: () => api('POST /api/webhooks', { body }),
}

test('a path is filled and its query written', () => {
  expect(Object.keys(wrong)).toHaveLength(12)
  expect(apiPath('PATCH /api/webhooks/{id}', { params: { id: 7 } })).toBe('/api/webhooks/7')
  expect(apiPath('GET /api/webhooks/{id}/deliveries', { params, query: { limit: 5, cursor: 'é/' } })).toBe(
    '/api/webhooks/1/deliveries?limit=5&cursor=%C3%A9%2F',
  )
})
