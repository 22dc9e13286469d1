import { WEBHOOK_ANSWER_MAX, WEBHOOK_FAILING_DAYS, WEBHOOK_TRIES, type WebhookTry } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { MailMessage } from '../../platform/mail/mail-message.ts'
import { queueMail } from '../mails/mails.ts'
import {
  type DeliveryRow,
  dropWaiting,
  findOptionalDelivery,
  findOptionalNext,
  type Lane,
  lockLanes,
  makeFirstDue,
  updateDelivery,
} from './deliveries.sql.ts'
import { sendTry } from './delivery-queue.ts'
import { findOwner } from './recipients.sql.ts'
import { lockOptionalWebhook, updateWebhook, type WebhookRow } from './webhooks.sql.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From one try to the next: a day, and a little more. */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  7 * HOUR_MS,
  13 * HOUR_MS,
] as const
/** Who asks for longer waits is tried before a delivery is too late. */
const WAIT_MAX_MS = Math.max(...WAITS_MS)
/** An endpoint to which nothing was sent for longer begins to fail anew. */
const QUIET_MS = 2 * DAY_MS
const TRIES_LISTED = 20
const GONE = 410

export interface TryResult {
  at: Date
  ms: number
  status: number | null
  error: string | null
  answer: string | null
  retryAfterMs?: number | undefined
}

interface Tried {
  delivery: DeliveryRow
  result: TryResult
  tryCount: number
  isByHand: boolean
}

export function recordTry(ctx: Context, { delivery, ...tried }: Tried): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    // The same order everywhere: the webhook, then the lane.
    const webhook = await lockOptionalWebhook(db, delivery.webhookId)
    if (webhook === undefined) return
    await lockLanes(db, [delivery])
    const stored = await findOptionalDelivery(db, delivery.id)
    if (stored === undefined) return
    const isNext = stored.state === 'waiting' && stored.tryCount === tried.tryCount
    if (!tried.isByHand && !isNext) return
    const known = { webhook, stored, ...tried }
    if (isWell(tried.result)) await recordSuccess(ctx, known)
    else await recordFailure(ctx, known)
  })
}

const isWell = ({ status }: TryResult): boolean => status !== null && status >= 200 && status < 300

interface Known extends Omit<Tried, 'delivery'> {
  webhook: WebhookRow
  stored: DeliveryRow
}

async function recordSuccess(ctx: Context<Transaction>, known: Known): Promise<void> {
  const { db } = ctx
  const { webhook, stored, result, tryCount, isByHand } = known
  const wasWaiting = stored.state === 'waiting'
  await updateDelivery(db, {
    ...toTried(known),
    tryCount: isByHand ? stored.tryCount : tryCount + 1,
    state: 'delivered',
    nextTryAt: null,
    endedAt: stored.endedAt ?? result.at,
  })
  if (webhook.failingSince !== null) {
    await updateWebhook(db, { id: webhook.id, failingSince: null, failedAt: null })
  }
  if (wasWaiting) await beginNext(ctx, stored)
}

async function recordFailure(ctx: Context<Transaction>, known: Known): Promise<void> {
  const { db, now, settings } = ctx
  const { publicUrl } = settings
  const { webhook, stored, result, tryCount, isByHand } = known
  const waitMs = WAITS_MS[tryCount]
  if (isByHand) await updateDelivery(db, toTried(known))
  else if (waitMs === undefined) {
    const end = { state: 'failed', nextTryAt: null, endedAt: result.at } as const
    await updateDelivery(db, { ...toTried(known), ...end, tryCount: WEBHOOK_TRIES })
    await beginNext(ctx, stored)
    await tellOwner(ctx, known, {
      key: `webhook-given-up:${webhook.id}:${result.at.toISOString().slice(0, 'YYYY-MM-DD'.length)}`,
      message: givenUpMessage({ url: webhook.url, publicUrl }, stored.type),
    })
  } else {
    const asked = Math.min(result.retryAfterMs ?? 0, WAIT_MAX_MS)
    const nextTryAt = new Date(now().getTime() + Math.max(waitMs, asked))
    const next = { deliveryId: stored.id, tryCount: tryCount + 1, isByHand: false }
    await updateDelivery(db, { ...toTried(known), tryCount: tryCount + 1, nextTryAt })
    await sendTry(ctx, { ...next, runAt: nextTryAt })
  }
  await judgeEndpoint(ctx, known)
}

function toTried({ stored, result: { at, ms, status, error, answer }, isByHand }: Known) {
  const latest: WebhookTry = { at: at.toISOString(), status, ms, error, isByHand }
  return {
    id: stored.id,
    tries: [...stored.tries, latest].slice(-TRIES_LISTED),
    answer: answer?.slice(0, WEBHOOK_ANSWER_MAX).toWellFormed() ?? null,
  }
}

async function judgeEndpoint(ctx: Context<Transaction>, known: Known): Promise<void> {
  const { db, settings } = ctx
  const { publicUrl } = settings
  const { webhook, result } = known
  const { id, failedAt, url } = webhook
  const isOld = failedAt === null || result.at.getTime() - failedAt.getTime() > QUIET_MS
  const failingSince = isOld || webhook.failingSince === null ? result.at : webhook.failingSince
  const hasFailedLong = result.at.getTime() - failingSince.getTime() >= WEBHOOK_FAILING_DAYS * DAY_MS
  const offReason = result.status === GONE ? 'gone' : hasFailedLong ? 'failing' : null
  if (offReason === null || !webhook.isActive) {
    return updateWebhook(db, { id, failingSince, failedAt: result.at })
  }
  await updateWebhook(db, { id, failingSince, failedAt: result.at, isActive: false, offReason })
  await dropWaiting(db, { webhookId: id, endedAt: result.at })
  await tellOwner(ctx, known, {
    key: `webhook-off:${id}:${result.at.getTime()}`,
    message: switchedOffMessage({ url, publicUrl }, offReason),
  })
}

async function tellOwner(
  ctx: Context<Transaction>,
  { webhook }: Known,
  { key, message }: { key: string; message: MailMessage },
): Promise<void> {
  const owner = await findOwner(ctx.db, webhook.userId)
  if (owner === undefined || owner.isDisabled) return
  const { isDisabled: _, ...account } = owner
  await queueMail(ctx, { account, key, message, addresses: [account.email] })
}

async function beginNext(ctx: Context<Transaction>, lane: Lane): Promise<void> {
  const { db, now } = ctx
  const id = await findOptionalNext(db, lane)
  if (id === undefined) return
  for (const deliveryId of await makeFirstDue(db, { ids: [id], nextTryAt: now() })) {
    await sendTry(ctx, { deliveryId, tryCount: 0, isByHand: false })
  }
}

export function dropDelivery(ctx: Context, { id, webhookId, object }: DeliveryRow): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    if ((await lockOptionalWebhook(db, webhookId)) === undefined) return
    await lockLanes(db, [{ webhookId, object }])
    const stored = await findOptionalDelivery(db, id)
    if (stored?.state !== 'waiting') return
    await updateDelivery(db, { id, state: 'dropped', nextTryAt: null, endedAt: ctx.now() })
    await beginNext(ctx, { webhookId, object })
  })
}

interface Subject {
  url: string
  publicUrl: string
}

/** Its path and query may hold secrets. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'your endpoint'

const links = ({ publicUrl }: Subject): MailMessage['links'] => [
  { label: 'Open your webhooks', href: `${publicUrl}/connect` },
]

function switchedOffMessage(about: Subject, reason: 'failing' | 'gone'): MailMessage {
  const host = hostOf(about.url)
  const why =
    reason === 'gone'
      ? `Your webhook at ${host} answered that it is gone (410).`
      : `Your webhook at ${host} has not accepted anything for ${WEBHOOK_FAILING_DAYS} days.`
  return {
    subject: 'A webhook was switched off',
    paragraphs: [
      `${why} It was switched off, and its waiting deliveries were dropped.`,
      'Switch it on again once it answers. You can resend dropped deliveries one by one.',
    ],
    markdown: '',
    links: links(about),
  }
}

function givenUpMessage(about: Subject, type: string): MailMessage {
  return {
    subject: 'Webhook delivery failed',
    paragraphs: [
      `${type} could not be delivered to ${hostOf(about.url)}: ${WEBHOOK_TRIES} tries in a day failed.`,
      'You get one such email per webhook per day. You can resend it from its page.',
    ],
    markdown: '',
    links: links(about),
  }
}
