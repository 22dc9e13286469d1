import { WEBHOOK_TEXT_MAX } from '@catenary/contracts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { retryWhileUnavailable } from '../../../retry-while-unavailable.ts'
import { type DeliveryRow, findOptionalDelivery } from '../deliveries.repository.ts'
import type { DeliveryTry } from '../delivery-queue.ts'
import { findOwner, isStillTold } from '../recipients.repository.ts'
import { findOptionalRunTexts } from '../told-runs.repository.ts'
import { recordOf, runEndOf } from '../webhook-events.ts'
import { signMessage } from '../webhook-secrets.ts'
import { toBody } from '../webhook-views.ts'
import { findOptionalWebhook, type WebhookRow } from '../webhooks.repository.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'
import { dropDelivery, recordTry, type TryResult } from './record-try.ts'

const DAY_MS = 86_400_000
/** What waited longer, as in a copy that was restored, comes too late to be sent by itself. */
const LATE_MS = 4 * DAY_MS

/** Tries one delivery, and records how that went; throws where another process is to try it. */
export async function deliver(
  deps: WebhooksDeps,
  { deliveryId, tryCount, isByHand, putOff }: DeliveryTry & { putOff: number },
  signal: AbortSignal,
): Promise<void> {
  const { db, closing, queue, turns } = deps
  const delivery = await findOptionalDelivery(db, deliveryId)
  const webhook = delivery && (await findOptionalWebhook(db, delivery.webhookId))
  if (delivery === undefined || webhook === undefined) return
  if (!isByHand && (delivery.state !== 'waiting' || delivery.tryCount !== tryCount)) return
  if (!(await maySend(deps, { delivery, webhook, isByHand }))) return dropDelivery(deps, delivery)

  const turn = turns.take(webhook.userId)
  if ('waitMs' in turn) {
    const runAt = new Date(Date.now() + turn.waitMs)
    return queue.send(db, { deliveryId, tryCount, isByHand, runAt, putOff: putOff + 1 })
  }
  try {
    const result = await send(deps, { delivery, webhook }, signal)
    await retryWhileUnavailable(() => recordTry(deps, { delivery, result, tryCount, isByHand }), { closing })
  } finally {
    turn.end()
  }
}

interface Sent {
  delivery: DeliveryRow
  webhook: WebhookRow
}

/** What its owner may see may have changed since it happened. */
async function maySend(
  { db, now }: WebhooksDeps,
  { delivery, webhook, isByHand }: Sent & { isByHand: boolean },
): Promise<boolean> {
  const isLate = !isByHand && now().getTime() - delivery.createdAt.getTime() > LATE_MS
  if (!webhook.isActive || isLate) return false
  const owner = await findOwner(db, webhook.userId)
  if (owner === undefined || owner.isDisabled) return false
  const record = recordOf(delivery.object)
  return record === undefined || isStillTold(db, { webhookId: webhook.id, ...record })
}

async function send(
  deps: WebhooksDeps,
  { delivery, webhook }: Sent,
  signal: AbortSignal,
): Promise<TryResult> {
  const { now, outbound, secrets } = deps
  const at = now()
  const body = JSON.stringify(await withTexts(deps, { delivery, webhook }))
  const signed = signMessage(secrets, { webhook, messageId: delivery.messageId, body, now: at })
  const start = performance.now()
  const ended = (result: Omit<TryResult, 'at' | 'ms'>): TryResult => ({
    ...result,
    at,
    ms: Math.round(performance.now() - start),
  })
  if (signed === undefined) {
    const error = 'Its secret can’t be opened any more: give it a new one'
    return ended({ status: null, error, answer: null })
  }
  try {
    const headers = { ...signed, 'content-type': 'application/json' }
    const { status, beginning, retryAfterMs } = await outbound.post({
      url: webhook.url,
      headers,
      body,
      signal,
    })
    return ended({ status, error: describeRedirect(status), answer: beginning, retryAfterMs })
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === 'aborted') throw error
    return ended({ status: null, error: error.message, answer: null })
  }
}

/** Null for any other answer. */
function describeRedirect(status: number): string | null {
  if (status < 300 || status >= 400) return null
  return `It answered ${status}: redirects are not followed. Give the webhook the address that it leads to.`
}

/** The texts of a run are read as they are sent: what was deleted since is not sent, and they are kept in one place. */
async function withTexts({ db }: WebhooksDeps, { delivery, webhook }: Sent) {
  const { sendsTexts, userId } = webhook
  const end = runEndOf(delivery.key)
  const body = toBody(delivery)
  if (!sendsTexts || end === undefined) return body
  const texts = await findOptionalRunTexts(db, { ...end, userId })
  if (texts === undefined) return body
  const { input, output, error } = texts
  const areClipped = [input, output, error].some((text) => (text?.length ?? 0) > WEBHOOK_TEXT_MAX)
  const cut = (text: string | null) => text?.slice(0, WEBHOOK_TEXT_MAX).toWellFormed() ?? null
  return {
    ...body,
    data: { ...body.data, texts: { input: cut(input), output: cut(output), error: cut(error), areClipped } },
  }
}
