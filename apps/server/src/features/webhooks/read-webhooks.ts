import type { ListQuery, User, Webhook, WebhookDelivery } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { countDeliveries, findOptionalDelivery, listDeliveries } from './deliveries.sql.ts'
import { toDelivery, toWebhook } from './webhook-views.ts'
import {
  countWebhookStates,
  findOptionalWebhook,
  listWebhookStates,
  listWebhooks,
  lockOptionalWebhook,
  type WebhookRow,
} from './webhooks.sql.ts'

const CURSOR = defineCursor({ list: 'webhook deliveries', position: cursorPosition.id })
const PAGE_MAX = 50

export interface WantedWebhook {
  id: number
  user: User
}

export async function lockOwnWebhook(
  { db }: SqlContext<Transaction>,
  { id, user }: WantedWebhook,
): Promise<WebhookRow> {
  return requireOwn(await lockOptionalWebhook(db, id), user)
}

async function findOwnWebhook({ db }: Context, { id, user }: WantedWebhook): Promise<WebhookRow> {
  return requireOwn(await findOptionalWebhook(db, id), user)
}

/** Where it posts to, and what it tells, is its owner's alone: administrators neither see nor change it. */
function canManageWebhook(user: Pick<User, 'id'>, webhook: { userId: number }): boolean {
  return webhook.userId === user.id
}

function requireOwn(webhook: WebhookRow | undefined, user: User): WebhookRow {
  if (webhook !== undefined && canManageWebhook(user, webhook)) return webhook
  throw new AppError('not_found', 'Webhook not found')
}

export async function showWebhook(ctx: Context, wanted: WantedWebhook): Promise<Webhook> {
  const webhook = await findOwnWebhook(ctx, wanted)
  const states = await listWebhookStates(ctx.db, [webhook.id])
  return toWebhook(webhook, states.get(webhook.id), ctx.now())
}

export async function listOwnWebhooks(ctx: Context, { user }: { user: User }): Promise<Webhook[]> {
  const rows = await listWebhooks(ctx.db, user.id)
  const ids = rows.map(({ id }) => id)
  const states = await listWebhookStates(ctx.db, ids)
  return rows.map((row) => toWebhook(row, states.get(row.id), ctx.now()))
}

export async function listOwnDeliveries(
  ctx: Context,
  { query, ...wanted }: WantedWebhook & { query: ListQuery },
): Promise<ListPage<WebhookDelivery>> {
  const { id: webhookId } = await findOwnWebhook(ctx, wanted)
  const limit = Math.min(query.limit, PAGE_MAX)
  const before = CURSOR.read(query.cursor)
  const rows = await listDeliveries(ctx.db, { webhookId, before, limit: limit + 1 })
  return toPage({
    rows,
    limit,
    total: before === undefined ? { count: await countDeliveries(ctx.db, webhookId) } : undefined,
    toItem: toDelivery,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

export interface WantedDelivery extends WantedWebhook {
  deliveryId: number
}

export async function showDelivery(ctx: Context, wanted: WantedDelivery): Promise<WebhookDelivery> {
  const { id } = await findOwnWebhook(ctx, wanted)
  const delivery = await findOptionalDelivery(ctx.db, wanted.deliveryId)
  if (delivery?.webhookId !== id) throw new AppError('not_found', 'Delivery not found')
  return toDelivery(delivery)
}

export function watchWebhooks(ctx: Context): void {
  ctx.metrics?.watch({
    gauges: {
      webhook_deliveries_waiting: 'Webhook deliveries still to be sent.',
      webhooks_failing: 'Active webhooks that have not accepted a delivery since one failed.',
      webhooks_switched_off: 'Webhooks switched off because their endpoint failed for days or is gone.',
    },
    read: async () => {
      const { waiting, failing, switchedOff } = await countWebhookStates(ctx.db)
      return {
        webhook_deliveries_waiting: waiting,
        webhooks_failing: failing,
        webhooks_switched_off: switchedOff,
      }
    },
  })
}
