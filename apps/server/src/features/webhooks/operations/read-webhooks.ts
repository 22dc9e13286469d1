import type { ListQuery, User, Webhook, WebhookDelivery } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../../list-page.ts'
import { countDeliveries, findOptionalDelivery, listDeliveries } from '../deliveries.repository.ts'
import { countWebhookStates, listWebhookStates } from '../webhook-states.repository.ts'
import { toDelivery, toWebhook } from '../webhook-views.ts'
import { canManageWebhook } from '../webhooks.policy.ts'
import {
  findOptionalWebhook,
  listWebhooks,
  lockOptionalWebhook,
  type WebhookRow,
} from '../webhooks.repository.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'

const CURSOR = defineCursor({ list: 'webhook deliveries', position: cursorPosition.id })
const PAGE_MAX = 50

export interface WantedWebhook {
  id: number
  user: User
}

/** Throws `not_found` for others'. */
export async function lockOwnWebhook(tx: Transaction, { id, user }: WantedWebhook): Promise<WebhookRow> {
  return requireOwn(await lockOptionalWebhook(tx, id), user)
}

async function findOwnWebhook({ db }: WebhooksDeps, { id, user }: WantedWebhook): Promise<WebhookRow> {
  return requireOwn(await findOptionalWebhook(db, id), user)
}

function requireOwn(webhook: WebhookRow | undefined, user: User): WebhookRow {
  if (webhook !== undefined && canManageWebhook(user, webhook)) return webhook
  throw new AppError('not_found', 'Webhook not found')
}

export async function showWebhook(deps: WebhooksDeps, wanted: WantedWebhook): Promise<Webhook> {
  const webhook = await findOwnWebhook(deps, wanted)
  const states = await listWebhookStates(deps.db, [webhook.id])
  return toWebhook(webhook, states.get(webhook.id), deps.now())
}

export async function listOwnWebhooks(deps: WebhooksDeps, user: User): Promise<Webhook[]> {
  const rows = await listWebhooks(deps.db, user.id)
  const ids = rows.map(({ id }) => id)
  const states = await listWebhookStates(deps.db, ids)
  return rows.map((row) => toWebhook(row, states.get(row.id), deps.now()))
}

/** Newest first. */
export async function listOwnDeliveries(
  deps: WebhooksDeps,
  { query, ...wanted }: WantedWebhook & { query: ListQuery },
): Promise<ListPage<WebhookDelivery>> {
  const { id: webhookId } = await findOwnWebhook(deps, wanted)
  const limit = Math.min(query.limit, PAGE_MAX)
  const before = CURSOR.read(query.cursor)
  const rows = await listDeliveries(deps.db, { webhookId, before, limit: limit + 1 })
  return toPage({
    rows,
    limit,
    total: before === undefined ? { count: await countDeliveries(deps.db, webhookId) } : undefined,
    toItem: toDelivery,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

export interface WantedDelivery extends WantedWebhook {
  deliveryId: number
}

/** Throws `not_found` where it is not one of that webhook. */
export async function showDelivery(deps: WebhooksDeps, wanted: WantedDelivery): Promise<WebhookDelivery> {
  const { id } = await findOwnWebhook(deps, wanted)
  const delivery = await findOptionalDelivery(deps.db, wanted.deliveryId)
  if (delivery?.webhookId !== id) throw new AppError('not_found', 'Delivery not found')
  return toDelivery(delivery)
}

/** How webhooks do, those of all people together. */
export const countFailing = ({ db }: WebhooksDeps) => countWebhookStates(db)
