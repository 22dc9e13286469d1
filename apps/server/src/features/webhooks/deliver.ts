import { WEBHOOK_TEXT_MAX } from '@catenary/contracts'
import { retryWhileUnavailable } from '../../database/failures/retry-while-unavailable.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { type DeliveryRow, findOptionalDelivery } from './deliveries.sql.ts'
import { type DeliveryTry, deliveryQueue, sendTry } from './delivery-queue.ts'
import { findOwner, isStillTold } from './recipients.sql.ts'
import { dropDelivery, recordTry, type TryResult } from './record-try.ts'
import { findOptionalRunTexts } from './told-runs.sql.ts'
import { ACTIVITY_LANE, recordOf, runEndOf } from './webhook-events.ts'
import { signMessage } from './webhook-secrets.ts'
import { toBody } from './webhook-views.ts'
import { findOptionalWebhook, type WebhookRow } from './webhooks.sql.ts'

const DAY_MS = 86_400_000
/** What waited longer, as in a copy that was restored, comes too late to be sent by itself. */
const LATE_MS = 4 * DAY_MS

const POSTS_AT_ONCE = 32

export function workDeliveries(ctx: Context): void {
  deliveryQueue(ctx).work({
    concurrency: POSTS_AT_ONCE,
    handle: ({ payload, signal }) => deliver(ctx, { ...payload, signal }),
  })
}

async function deliver(
  ctx: Context,
  { deliveryId, tryCount, isByHand, putOff, signal }: DeliveryTry & { putOff: number; signal: AbortSignal },
): Promise<void> {
  const { db, closing } = ctx
  const delivery = await findOptionalDelivery(db, deliveryId)
  const webhook = delivery && (await findOptionalWebhook(db, delivery.webhookId))
  if (delivery === undefined || webhook === undefined) return
  if (!isByHand && (delivery.state !== 'waiting' || delivery.tryCount !== tryCount)) return
  if (!(await maySend(ctx, { delivery, webhook, isByHand }))) return dropDelivery(ctx, delivery)

  const turn = turns(ctx).take(webhook.userId)
  if ('waitMs' in turn) {
    const runAt = new Date(Date.now() + turn.waitMs)
    return sendTry(ctx, { deliveryId, tryCount, isByHand, runAt, putOff: putOff + 1 })
  }
  try {
    const result = await send(ctx, { delivery, webhook, signal })
    await retryWhileUnavailable(() => recordTry(ctx, { delivery, result, tryCount, isByHand }), { closing })
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
  { db, now }: Context,
  { delivery, webhook, isByHand }: Sent & { isByHand: boolean },
): Promise<boolean> {
  const isLate = !isByHand && now().getTime() - delivery.createdAt.getTime() > LATE_MS
  if (!webhook.isActive || isLate) return false
  const owner = await findOwner(db, webhook.userId)
  if (owner === undefined || owner.isDisabled) return false
  if (delivery.object === ACTIVITY_LANE) return owner.role === 'admin'
  const record = recordOf(delivery.object)
  return record === undefined || isStillTold(db, { webhookId: webhook.id, ...record })
}

async function send(
  ctx: Context,
  { delivery, webhook, signal }: Sent & { signal: AbortSignal },
): Promise<TryResult> {
  const { now, outbound, secrets } = ctx
  const at = now()
  const body = JSON.stringify(await withTexts(ctx, { delivery, webhook }))
  const signed = signMessage(secrets, { webhook, messageId: delivery.messageId, body, now: at })
  const start = performance.now()
  const ended = (result: Omit<TryResult, 'at' | 'ms'>): TryResult => ({
    ...result,
    at,
    ms: Math.round(performance.now() - start),
  })
  if (signed === undefined) {
    const error = 'Its secret can no longer be read. Rotate it.'
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

function describeRedirect(status: number): string | null {
  if (status < 300 || status >= 400) return null
  return `It answered ${status}: redirects are not followed. Enter the address that it redirects to.`
}

/** The texts of a run are read as they are sent: what was deleted since is not sent, and they are kept in one place. */
async function withTexts({ db }: Context, { delivery, webhook }: Sent) {
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

const AT_ONCE = 4
const APART_MS = 250
const FIRST_WAIT_MS = 500

interface Person {
  underWay: number
  nextTurnAt: number
}

interface Turns {
  take(userId: number): { end: () => void } | { waitMs: number }
}

const turns = onePerApp(() => createTurns())

/** Has a person with many slow endpoints take a few of the places that all share. Who waits is told a time of their own. */
export function createTurns({ now = () => performance.now() } = {}): Turns {
  const people = new Map<number, Person>()
  return {
    take(userId) {
      const person = people.get(userId) ?? { underWay: 0, nextTurnAt: 0 }
      if (person.underWay >= AT_ONCE) {
        person.nextTurnAt = Math.max(person.nextTurnAt, now() + FIRST_WAIT_MS) + APART_MS
        return { waitMs: person.nextTurnAt - now() }
      }
      people.set(userId, person)
      person.underWay += 1
      return {
        end: () => {
          person.underWay -= 1
          if (person.underWay === 0) people.delete(userId)
        },
      }
    },
  }
}
