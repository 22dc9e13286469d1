import {
  type CreatedWebhook,
  type createWebhookRequest,
  type UpdateWebhookRequest,
  type User,
  WEBHOOK_OVERLAP_HOURS,
  type Webhook,
  type WebhookEventType,
} from '@catenary/contracts'
import type * as z from 'zod'
import { fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { dropWaiting } from './deliveries.sql.ts'
import { lockOwnWebhook, showWebhook, type WantedWebhook } from './read-webhooks.ts'
import { wantedEvents } from './wanted-events.ts'
import { contextOf, mintSecret } from './webhook-secrets.ts'
import { deleteWebhook, insertWebhook, updateWebhook } from './webhooks.sql.ts'

const HOUR_MS = 3_600_000
/** Beside the newest; of those before, the oldest end early. */
const FORMERS_MAX = 4

export async function createWebhook(
  ctx: Context,
  { fields, user }: { fields: z.output<typeof createWebhookRequest>; user: User },
): Promise<CreatedWebhook> {
  requireOwnEvents(fields, user)
  const secret = mintSecret()
  const id = await transaction(ctx, async (ctx) => {
    const { db, secrets } = ctx
    // Its secret is bound to the id.
    const created = await insertWebhook(db, { ...fields, userId: user.id, sealedSecret: '' })
    const context = contextOf({ id: created, userId: user.id })
    await updateWebhook(db, { id: created, sealedSecret: secrets.seal({ text: secret, context }) })
    const after = { events: fields.events }
    await recordActivity(ctx, { kind: 'webhook.created', object: 'webhook', id: created, after })
    return created
  })
  await wantedEvents(ctx).refresh()
  return { ...(await showWebhook(ctx, { id, user })), secret }
}

/** The activity is everyone's: it is sent to administrators alone. */
function requireOwnEvents(
  { events = [] }: { events?: WebhookEventType[] | undefined },
  { role }: User,
): void {
  if (role === 'admin' || !events.includes('activity')) return
  throw fieldError('events', 'Only administrators can be sent the activity', 'forbidden')
}

/** Off drops what waits; on begins anew. */
export async function changeWebhook(
  ctx: Context,
  { fields, ...wanted }: WantedWebhook & { fields: UpdateWebhookRequest },
): Promise<Webhook> {
  requireOwnEvents(fields, wanted.user)
  await transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    const { id, isActive, events } = await lockOwnWebhook(ctx, wanted)
    const isOff = fields.isActive === false && isActive
    const anew =
      fields.isActive !== true || isActive ? {} : { offReason: null, failingSince: null, failedAt: null }
    await updateWebhook(db, { id, ...fields, ...anew, updatedAt: now() })
    if (isOff) await dropWaiting(db, { webhookId: id, endedAt: now() })
    await recordActivity(ctx, {
      kind: 'webhook.changed',
      object: 'webhook',
      id,
      before: { isActive, events },
      after: { isActive: fields.isActive ?? isActive, events: fields.events ?? events },
    })
  })
  await wantedEvents(ctx).refresh()
  return showWebhook(ctx, wanted)
}

export function removeWebhook(ctx: Context, wanted: WantedWebhook): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id } = await lockOwnWebhook(ctx, wanted)
    await deleteWebhook(ctx.db, id)
    await recordActivity(ctx, { kind: 'webhook.deleted', object: 'webhook', id })
  })
}

export async function rotateSecret(ctx: Context, wanted: WantedWebhook): Promise<CreatedWebhook> {
  const secret = mintSecret()
  await transaction(ctx, async (ctx) => {
    const { db, now, secrets } = ctx
    const { id, userId, sealedSecret, sealedFormers } = await lockOwnWebhook(ctx, wanted)
    const at = now()
    const until = new Date(at.getTime() + WEBHOOK_OVERLAP_HOURS * HOUR_MS).toISOString()
    const formers = Object.entries({ ...sealedFormers, [until]: sealedSecret })
      .filter(([end]) => new Date(end) > at)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(-FORMERS_MAX)
    const sealed = secrets.seal({ text: secret, context: contextOf({ id, userId }) })
    await updateWebhook(db, {
      id,
      sealedSecret: sealed,
      sealedFormers: Object.fromEntries(formers),
      updatedAt: at,
    })
    await recordActivity(ctx, { kind: 'webhook.rotated', object: 'webhook', id })
  })
  return { ...(await showWebhook(ctx, wanted)), secret }
}
