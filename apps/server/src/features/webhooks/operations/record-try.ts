import { WEBHOOK_ANSWER_MAX, WEBHOOK_FAILING_DAYS, WEBHOOK_TRIES, type WebhookTry } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import type { MailMessage } from '../../../platform/mail/mail-message.ts'
import { queueMail } from '../../mails/mails.ts'
import {
  type DeliveryRow,
  dropWaiting,
  findOptionalDelivery,
  findOptionalNext,
  type Lane,
  lockLanes,
  makeFirstDue,
  updateDelivery,
} from '../deliveries.repository.ts'
import { findOwner } from '../recipients.repository.ts'
import { givenUpMessage, switchedOffMessage } from '../webhook-messages.ts'
import { lockOptionalWebhook, updateWebhook, type WebhookRow } from '../webhooks.repository.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'

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
  /** For how long the endpoint asks to be left alone. */
  retryAfterMs?: number | undefined
}

interface Tried {
  delivery: DeliveryRow
  result: TryResult
  /** How many tries went before by themselves. */
  tryCount: number
  isByHand: boolean
}

/** Records a try with all that follows from it: the next try, the next delivery of the object, a webhook that is switched off. */
export function recordTry(deps: WebhooksDeps, { delivery, ...tried }: Tried): Promise<void> {
  return deps.db.transaction(async (tx) => {
    // In this order everywhere: the webhook, then the lane.
    const webhook = await lockOptionalWebhook(tx, delivery.webhookId)
    if (webhook === undefined) return
    await lockLanes(tx, [delivery])
    const stored = await findOptionalDelivery(tx, delivery.id)
    if (stored === undefined) return
    const isNext = stored.state === 'waiting' && stored.tryCount === tried.tryCount
    if (!tried.isByHand && !isNext) return
    const known = { deps, webhook, stored, ...tried }
    if (isWell(tried.result)) await recordSuccess(tx, known)
    else await recordFailure(tx, known)
  })
}

const isWell = ({ status }: TryResult): boolean => status !== null && status >= 200 && status < 300

interface Known extends Omit<Tried, 'delivery'> {
  deps: WebhooksDeps
  webhook: WebhookRow
  stored: DeliveryRow
}

async function recordSuccess(tx: Transaction, known: Known): Promise<void> {
  const { deps, webhook, stored, result, tryCount, isByHand } = known
  const wasWaiting = stored.state === 'waiting'
  await updateDelivery(tx, {
    ...toTried(known),
    tryCount: isByHand ? stored.tryCount : tryCount + 1,
    state: 'delivered',
    nextTryAt: null,
    endedAt: stored.endedAt ?? result.at,
  })
  if (webhook.failingSince !== null) {
    await updateWebhook(tx, { id: webhook.id, failingSince: null, failedAt: null })
  }
  if (wasWaiting) await beginNext(deps, tx, stored)
}

async function recordFailure(tx: Transaction, known: Known): Promise<void> {
  const { deps, webhook, stored, result, tryCount, isByHand } = known
  const waitMs = WAITS_MS[tryCount]
  if (isByHand) await updateDelivery(tx, toTried(known))
  else if (waitMs === undefined) {
    const end = { state: 'failed', nextTryAt: null, endedAt: result.at } as const
    await updateDelivery(tx, { ...toTried(known), ...end, tryCount: WEBHOOK_TRIES })
    await beginNext(deps, tx, stored)
    await tellOwner(tx, known, {
      key: `webhook-given-up:${webhook.id}:${result.at.toISOString().slice(0, 'YYYY-MM-DD'.length)}`,
      message: givenUpMessage({ url: webhook.url, publicUrl: deps.publicUrl }, stored.type),
    })
  } else {
    const asked = Math.min(result.retryAfterMs ?? 0, WAIT_MAX_MS)
    const nextTryAt = new Date(deps.now().getTime() + Math.max(waitMs, asked))
    const next = { deliveryId: stored.id, tryCount: tryCount + 1, isByHand: false }
    await updateDelivery(tx, { ...toTried(known), tryCount: tryCount + 1, nextTryAt })
    await deps.queue.send(tx, { ...next, runAt: nextTryAt })
  }
  await judgeEndpoint(tx, known)
}

function toTried({ stored, result: { at, ms, status, error, answer }, isByHand }: Known) {
  const latest: WebhookTry = { at: at.toISOString(), status, ms, error, isByHand }
  return {
    id: stored.id,
    tries: [...stored.tries, latest].slice(-TRIES_LISTED),
    answer: answer?.slice(0, WEBHOOK_ANSWER_MAX).toWellFormed() ?? null,
  }
}

/** Switches off what has failed for days, and what says that it is gone. */
async function judgeEndpoint(tx: Transaction, known: Known): Promise<void> {
  const { deps, webhook, result } = known
  const { id, failedAt, url } = webhook
  const isOld = failedAt === null || result.at.getTime() - failedAt.getTime() > QUIET_MS
  const failingSince = isOld || webhook.failingSince === null ? result.at : webhook.failingSince
  const hasFailedLong = result.at.getTime() - failingSince.getTime() >= WEBHOOK_FAILING_DAYS * DAY_MS
  const offReason = result.status === GONE ? 'gone' : hasFailedLong ? 'failing' : null
  if (offReason === null || !webhook.isActive) {
    return updateWebhook(tx, { id, failingSince, failedAt: result.at })
  }
  await updateWebhook(tx, { id, failingSince, failedAt: result.at, isActive: false, offReason })
  await dropWaiting(tx, { webhookId: id, endedAt: result.at })
  await tellOwner(tx, known, {
    key: `webhook-off:${id}:${result.at.getTime()}`,
    message: switchedOffMessage({ url, publicUrl: deps.publicUrl }, offReason),
  })
}

async function tellOwner(
  tx: Transaction,
  { deps, webhook }: Known,
  { key, message }: { key: string; message: MailMessage },
): Promise<void> {
  const owner = await findOwner(tx, webhook.userId)
  if (owner === undefined || owner.isDisabled) return
  const { isDisabled: _, ...account } = owner
  await queueMail({ ...deps.ctx, db: tx }, { account, key, message, addresses: [account.email] })
}

/** What waits behind a delivery that has ended. */
async function beginNext({ now, queue }: WebhooksDeps, tx: Transaction, lane: Lane): Promise<void> {
  const id = await findOptionalNext(tx, lane)
  if (id === undefined) return
  for (const deliveryId of await makeFirstDue(tx, { ids: [id], nextTryAt: now() })) {
    await queue.send(tx, { deliveryId, tryCount: 0, isByHand: false })
  }
}

/** It is not sent; what waits behind it goes on. */
export function dropDelivery(deps: WebhooksDeps, { id, webhookId, object }: DeliveryRow): Promise<void> {
  return deps.db.transaction(async (tx) => {
    if ((await lockOptionalWebhook(tx, webhookId)) === undefined) return
    await lockLanes(tx, [{ webhookId, object }])
    const stored = await findOptionalDelivery(tx, id)
    if (stored?.state !== 'waiting') return
    await updateDelivery(tx, { id, state: 'dropped', nextTryAt: null, endedAt: deps.now() })
    await beginNext(deps, tx, { webhookId, object })
  })
}
