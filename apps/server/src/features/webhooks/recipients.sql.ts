import { type RecordKind, type Role, WEBHOOK_WAITING_MAX, type WebhookEventType } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { chains, prompts, users, webhooks } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { isSharedByName } from '../../database/statements/visible-rows.ts'
import type { Audience } from './webhook-events.ts'

interface Recipient {
  webhookId: number
  isFull: boolean
}

export function listRecipients(
  db: Executor,
  { type, audience }: { type: WebhookEventType; audience: Audience },
): Promise<Recipient[]> {
  return db
    .select({
      webhookId: webhooks.id,
      isFull: sql<boolean>`(
        select count(*) from webhook_deliveries where webhook_id = ${webhooks.id} and state = 'waiting'
      ) >= ${WEBHOOK_WAITING_MAX}`,
    })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.userId))
    .where(
      and(
        eq(webhooks.isActive, true),
        sql`${users.banned} is not true`,
        sql`${type} = any(${webhooks.events})`,
        isAmong(audience),
      ),
    )
    .orderBy(webhooks.id)
}

function isAmong(audience: Audience): SQL {
  if ('userId' in audience) return eq(webhooks.userId, audience.userId)
  return 'role' in audience ? eq(users.role, audience.role) : hasByName(audience)
}

/** Whether the webhook's owner has the record as their own, by name or by a group. What is open to everyone tells nobody. */
function hasByName({ kind, id }: { kind: RecordKind; id: number }): SQL {
  const records = kind === 'prompt' ? prompts : chains
  const isShared = isSharedByName(kind, webhooks.userId)
  const counts = kind === 'prompt' ? isShared : sql`${chains.sharedLevel} = 'shared' and ${isShared}`
  return sql`exists (
    select from ${records} where ${records.id} = ${id} and (${records.ownerId} = ${webhooks.userId} or (${counts}))
  )`
}

export async function isStillTold(
  db: Executor,
  { webhookId, ...record }: { webhookId: number; kind: RecordKind; id: number },
): Promise<boolean> {
  const found = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), hasByName(record)))
  return found.length > 0
}

export async function noteLeftOut(db: Executor, { ids, at }: { ids: number[]; at: Date }): Promise<void> {
  await db.execute(sql`
    update webhooks set left_out_at = ${at}
    where id = any(${sql.param(ids)}::integer[])
      and (left_out_at is null or left_out_at < ${at}::timestamptz - interval '1 minute')`)
}

export async function findOwner(db: Executor, userId: number) {
  const [found] = await db
    .select({
      id: users.id,
      username: users.displayUsername,
      email: users.email,
      role: users.role,
      isDisabled: sql<boolean>`${users.banned} is true`,
    })
    .from(users)
    .where(eq(users.id, userId))
  return found && { ...found, role: found.role as Role }
}
