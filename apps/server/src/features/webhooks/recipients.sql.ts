import { type RecordKind, type Role, WEBHOOK_WAITING_MAX, type WebhookEventType } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { chainShares, chains, promptShares, prompts, users, webhooks } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
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

/** Whether the webhook's owner has the record as their own, or by name. What is merely public tells nobody. */
function hasByName({ kind, id }: { kind: RecordKind; id: number }): SQL {
  if (kind === 'prompt') {
    return sql`(
      exists (select from ${prompts} where ${prompts.id} = ${id} and ${prompts.ownerId} = ${webhooks.userId})
      or exists (select from ${promptShares} where ${promptShares.recordId} = ${id} and ${promptShares.userId} = ${webhooks.userId})
    )`
  }
  return sql`(
    exists (select from ${chains} where ${chains.id} = ${id} and ${chains.ownerId} = ${webhooks.userId})
    or exists (
      select from ${chainShares} inner join ${chains} on ${chains.id} = ${chainShares.recordId}
      where ${chains.id} = ${id} and ${chains.sharedLevel} = 'shared' and ${chainShares.userId} = ${webhooks.userId}
    )
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
