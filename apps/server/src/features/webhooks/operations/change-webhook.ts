import {
  type CreatedWebhook,
  type createWebhookRequest,
  type UpdateWebhookRequest,
  type User,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOKS_MAX,
  type Webhook,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../../errors.ts'
import { dropWaiting } from '../deliveries.repository.ts'
import { contextOf, mintSecret } from '../webhook-secrets.ts'
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  lockWebhooksOf,
  updateWebhook,
} from '../webhooks.repository.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'
import { lockOwnWebhook, showWebhook, type WantedWebhook } from './read-webhooks.ts'

const HOUR_MS = 3_600_000
/** Beside the newest; of those before, the oldest end early. */
const FORMERS_MAX = 4

/** With its secret, which no other reply has. */
export async function createWebhook(
  deps: WebhooksDeps,
  { fields, user }: { fields: z.output<typeof createWebhookRequest>; user: User },
): Promise<CreatedWebhook> {
  const secret = mintSecret()
  const id = await deps.db.transaction(async (tx) => {
    await lockWebhooksOf(tx, user.id)
    if ((await countWebhooks(tx, user.id)) >= WEBHOOKS_MAX) {
      throw new AppError('conflict', `You have ${WEBHOOKS_MAX} webhooks. Remove one first.`)
    }
    // Its secret is bound to the id.
    const created = await insertWebhook(tx, { ...fields, userId: user.id, sealedSecret: '' })
    const context = contextOf({ id: created, userId: user.id })
    await updateWebhook(tx, { id: created, sealedSecret: deps.secrets.seal({ text: secret, context }) })
    return created
  })
  await deps.wanted.refresh()
  return { ...(await showWebhook(deps, { id, user })), secret }
}

/** Off drops what waits; on begins anew. */
export async function changeWebhook(
  deps: WebhooksDeps,
  { fields, ...wanted }: WantedWebhook & { fields: UpdateWebhookRequest },
): Promise<Webhook> {
  await deps.db.transaction(async (tx) => {
    const { id, isActive } = await lockOwnWebhook(tx, wanted)
    const isOff = fields.isActive === false && isActive
    const anew =
      fields.isActive !== true || isActive ? {} : { offReason: null, failingSince: null, failedAt: null }
    await updateWebhook(tx, { id, ...fields, ...anew, updatedAt: deps.now() })
    if (isOff) await dropWaiting(tx, { webhookId: id, endedAt: deps.now() })
  })
  await deps.wanted.refresh()
  return showWebhook(deps, wanted)
}

export function removeWebhook(deps: WebhooksDeps, wanted: WantedWebhook): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { id } = await lockOwnWebhook(tx, wanted)
    await deleteWebhook(tx, id)
  })
}

/** A new secret; for a day those before sign beside it. */
export async function rotateSecret(deps: WebhooksDeps, wanted: WantedWebhook): Promise<CreatedWebhook> {
  const secret = mintSecret()
  await deps.db.transaction(async (tx) => {
    const { id, userId, sealedSecret, sealedFormers } = await lockOwnWebhook(tx, wanted)
    const now = deps.now()
    const until = new Date(now.getTime() + WEBHOOK_OVERLAP_HOURS * HOUR_MS).toISOString()
    const formers = Object.entries({ ...sealedFormers, [until]: sealedSecret })
      .filter(([end]) => new Date(end) > now)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(-FORMERS_MAX)
    const sealed = deps.secrets.seal({ text: secret, context: contextOf({ id, userId }) })
    await updateWebhook(tx, {
      id,
      sealedSecret: sealed,
      sealedFormers: Object.fromEntries(formers),
      updatedAt: now,
    })
  })
  return { ...(await showWebhook(deps, wanted)), secret }
}
