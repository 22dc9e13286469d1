import type { Webhook, WebhookDelivery } from '@catenary/contracts'

const AT = '2026-11-21T09:31:00.000Z'

/** A webhook as the API lists it. */
export function makeWebhook(fields: Partial<Webhook> = {}): Webhook {
  return {
    id: 3,
    url: 'https://deploy.example.org/catenary?key=k1',
    events: ['run.failed', 'label.moved'],
    sendsTexts: false,
    isActive: true,
    offReason: null,
    failingSince: null,
    leftOutAt: null,
    formerSecretUntil: null,
    waiting: 0,
    recent: Array.from({ length: 20 }, (_, index) => ({ id: index + 1, state: 'delivered' as const })),
    latestTry: { at: AT, status: 204, ms: 88, error: null, isByHand: false },
    retried: null,
    createdAt: AT,
    ...fields,
  }
}

/** A delivery as the API lists it. */
export function makeDelivery(fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: 20,
    messageId: 'msg_7Qk2',
    type: 'run.failed',
    object: 'run:229',
    state: 'delivered',
    tries: [{ at: AT, status: 204, ms: 88, error: null, isByHand: false }],
    tryCount: 1,
    nextTryAt: null,
    waitsBehind: null,
    body: JSON.stringify({ type: 'run.failed', timestamp: AT, data: { run: { id: 229 } } }),
    answer: '',
    createdAt: AT,
    endedAt: AT,
    ...fields,
  }
}
