import type { Webhook, WebhookDelivery } from '@catenary/contracts'
import type { ListedDelivery } from './deliveries.sql.ts'
import type { WebhookRow, WebhookState } from './webhooks.sql.ts'

const NOTHING_SENT: WebhookState = { waiting: 0, recent: [], latestTry: null, retried: null }

export function toWebhook(row: WebhookRow, state: WebhookState = NOTHING_SENT, now: Date): Webhook {
  const { id, url, events, sendsTexts, isActive, offReason } = row
  const former = Object.keys(row.sealedFormers).toSorted().at(-1)
  const { retried } = state
  return {
    id,
    url,
    events,
    sendsTexts,
    isActive,
    offReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    leftOutAt: row.leftOutAt?.toISOString() ?? null,
    formerSecretUntil: former !== undefined && new Date(former) > now ? former : null,
    ...state,
    retried: retried && { ...retried, nextTryAt: new Date(retried.nextTryAt).toISOString() },
    createdAt: row.createdAt.toISOString(),
  }
}

export function toDelivery(row: ListedDelivery): WebhookDelivery {
  const { id, messageId, type, object, state, tries, tryCount, waitsBehind, answer } = row
  return {
    id,
    messageId,
    type,
    object,
    state,
    tries,
    tryCount,
    waitsBehind,
    answer,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    body: JSON.stringify(toBody(row)),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

/** In the form of Standard Webhooks. */
export const toBody = ({ type, createdAt, data }: Pick<ListedDelivery, 'type' | 'createdAt' | 'data'>) => ({
  type,
  timestamp: createdAt.toISOString(),
  data,
})
