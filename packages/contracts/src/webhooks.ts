import * as z from 'zod'
import { id, idParam, idParams, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'

const WEBHOOK_URL_MAX = 2_000
/** How often one delivery is tried by itself, over a day. */
export const WEBHOOK_TRIES = 8
/** Deliveries of a webhook that wait at once; events beyond are left out. */
export const WEBHOOK_WAITING_MAX = 500
export const WEBHOOK_DELIVERY_DAYS = 14
export const WEBHOOK_DELIVERIES_KEPT = 200
/** An endpoint that has answered nothing well for so long is switched off. */
export const WEBHOOK_FAILING_DAYS = 3
/** In hours, while the former secret also signs. */
export const WEBHOOK_OVERLAP_HOURS = 24
export const WEBHOOK_RECENT = 20
export const WEBHOOK_ANSWER_MAX = 2_000
export const WEBHOOK_TEXT_MAX = 50_000

/** A new row needs code that sends it. */
export const WEBHOOK_EVENTS = {
  'run.completed': 'run completed',
  'run.failed': 'run failed',
  'ask.opened': 'ask opened',
  'label.moved': 'label moved',
  'gate.failed': 'gate failed',
  'budget.near': 'budget at 80 %',
  'schedule.missed': 'schedule missed',
  'import.done': 'import done',
  activity: 'activity',
} as const
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS

export const WEBHOOK_TEST = 'webhook.test'

const events = z
  .array(z.enum(Object.keys(WEBHOOK_EVENTS) as [WebhookEventType, ...WebhookEventType[]]))
  .min(1, 'Choose an event')
  .refine((list) => new Set(list).size === list.length, 'List each event at most once')
  .describe('What is sent.')

const url = z
  .string()
  .trim()
  .min(1, 'Enter an address')
  .max(WEBHOOK_URL_MAX, `The address must be at most ${WEBHOOK_URL_MAX} characters`)
  .refine(isWebAddress, 'Enter an http or https address without a user name or password')
  .describe('Where events are posted to: public, or among the server’s FETCH_ALLOW_HOSTS.')

function isWebAddress(text: string): boolean {
  const parsed = URL.parse(text)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return false
  return parsed.username === '' && parsed.password === ''
}

const sendsTexts = z
  .boolean()
  .describe('Events about your runs include input, answer and error as texts. Default: false.')

export const createWebhookRequest = z.strictObject({ url, events, sendsTexts: sendsTexts.default(false) })
export type CreateWebhookRequest = z.input<typeof createWebhookRequest>

const updateWebhookRequest = z
  .strictObject({
    url,
    events,
    sendsTexts,
    isActive: z.boolean().describe('Events are sent. Switching it off drops waiting deliveries.'),
  })
  .partial()
export type UpdateWebhookRequest = z.infer<typeof updateWebhookRequest>

const deliveryState = z
  .enum(['waiting', 'delivered', 'failed', 'dropped'])
  .describe(
    'waiting: not tried yet, or waiting behind another of the same object; delivered: answered with 2xx; failed: given up; dropped: not sent, as the webhook was switched off or its owner may no longer see the object.',
  )
export type WebhookDeliveryState = z.infer<typeof deliveryState>

const webhookTry = z.object({
  at: timestamp,
  status: z.int().nullable().describe('Status of the answer; null: there was none.'),
  ms: z.int().describe('How long it took.'),
  error: z.string().nullable().describe('Why there was no answer; null: there was one.'),
  isByHand: z.boolean().describe('Sent again by hand.'),
})
export type WebhookTry = z.infer<typeof webhookTry>

export const webhook = z.object({
  id,
  url: z.string().describe('Where events are posted to.'),
  events,
  sendsTexts,
  isActive: z.boolean().describe('Events are sent.'),
  offReason: z
    .enum(['failing', 'gone'])
    .nullable()
    .describe(
      `Why it was switched off automatically. failing: nothing was accepted for ${WEBHOOK_FAILING_DAYS} days; gone: it answered 410; null: it was not.`,
    ),
  failingSince: timestamp.nullable().describe('When it stopped accepting deliveries; null: it accepts them.'),
  leftOutAt: timestamp
    .nullable()
    .describe(
      `When an event was last dropped because ${WEBHOOK_WAITING_MAX} were waiting; null: never. Accurate to the minute.`,
    ),
  formerSecretUntil: timestamp
    .nullable()
    .describe('When the secret from before the last rotation stops signing; null: it no longer signs.'),
  waiting: z.int().describe('Waiting deliveries.'),
  recent: z
    .array(z.object({ id, state: deliveryState }))
    .describe(`The ${WEBHOOK_RECENT} newest deliveries, oldest first.`),
  latestTry: webhookTry.nullable().describe('The latest try of all deliveries; null: nothing was sent yet.'),
  retried: z
    .object({
      id,
      tries: z.int().describe(`Number of tries so far, of ${WEBHOOK_TRIES}.`),
      nextTryAt: timestamp,
    })
    .nullable()
    .describe('The oldest failed delivery that will be tried again; null: none.'),
  createdAt: timestamp,
})
export type Webhook = z.infer<typeof webhook>

const secret = z
  .string()
  .describe('Signs deliveries as Standard Webhooks describes: whsec_ and base64. Shown only in this reply.')

export const createdWebhook = webhook.extend({ secret })
export type CreatedWebhook = z.infer<typeof createdWebhook>

export const webhookList = z.array(webhook).describe('Oldest first.')

export const webhookDelivery = z.object({
  id,
  messageId: z.string().describe('Its webhook-id header, the same at each try.'),
  type: z.string().describe('The event.'),
  object: z.string().describe('What it is about; deliveries of one object keep their order.'),
  state: deliveryState,
  tries: z.array(webhookTry).describe('The latest, oldest first.'),
  tryCount: z.int().describe(`Number of automatic tries so far, of ${WEBHOOK_TRIES}.`),
  nextTryAt: timestamp.nullable().describe('null: it is waiting behind another, or has ended.'),
  waitsBehind: id.nullable().describe('The delivery of the same object that is sent first; null: none.'),
  body: z.string().describe('Payload without the texts of a run, which are added on sending.'),
  answer: z
    .string()
    .nullable()
    .describe(`First ${WEBHOOK_ANSWER_MAX} characters of the last answer; null: there was none.`),
  createdAt: timestamp,
  endedAt: timestamp.nullable().describe('null: it is waiting.'),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const webhooksApi = defineApi('webhooks', {
  'GET /api/webhooks': { who: 'user', summary: 'Your webhooks', reply: webhookList, errors: [401] },
  'POST /api/webhooks': {
    who: 'user',
    summary: 'Add a webhook',
    description:
      'Events are posted to it as Standard Webhooks describes, signed with the secret, which only this reply shows.',
    body: createWebhookRequest,
    created: createdWebhook,
    errors: [401, 403],
    notReplayed: true,
    noStore: true,
    activity: { kind: 'webhook.created', object: 'webhook' },
  },
  'PATCH /api/webhooks/{id}': {
    who: 'user',
    summary: 'Change a webhook, or switch it on or off',
    params: idParams,
    body: updateWebhookRequest,
    reply: webhook,
    errors: [401, 403],
    activity: { kind: 'webhook.changed', object: 'webhook' },
  },
  'DELETE /api/webhooks/{id}': {
    who: 'user',
    summary: 'Remove a webhook with its deliveries',
    params: idParams,
    activity: { kind: 'webhook.deleted', object: 'webhook' },
  },
  'POST /api/webhooks/{id}/rotate': {
    who: 'user',
    summary: 'Give a webhook a new secret',
    description: 'The reply shows it. For a day deliveries are also signed with the old one.',
    params: idParams,
    reply: createdWebhook,
    errors: [401],
    notReplayed: true,
    noStore: true,
    activity: { kind: 'webhook.rotated', object: 'webhook' },
  },
  'GET /api/webhooks/{id}/deliveries': {
    who: 'user',
    summary: 'What was sent to a webhook, newest first',
    params: idParams,
    query: listQuery,
    list: webhookDelivery,
    errors: [401, 404],
  },
  'POST /api/webhooks/{id}/test': {
    who: 'user',
    summary: 'Send a test to a webhook',
    description: 'Sends the event `webhook.test` like any other.',
    params: idParams,
    accepted: webhookDelivery,
    errors: [401, 409],
    activity: { none: 'It is kept among the deliveries of the webhook.' },
  },
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/send': {
    who: 'user',
    summary: 'Send a delivery again immediately',
    description:
      'Sent once, with the same `webhook-id`. Refused while an earlier delivery of the same object is waiting.',
    params: z.strictObject({
      id: idParam.describe('Id of the webhook.'),
      deliveryId: idParam.describe('Id of the delivery.'),
    }),
    accepted: webhookDelivery,
    errors: [401, 409],
    activity: { none: 'It is kept among the deliveries of the webhook.' },
  },
})
