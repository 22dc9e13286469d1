import { COUNTED_QUOTAS, type QuotaCounts, type Quotas } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Executor } from '../../db/executor.ts'
import { auditEvents, settings, usages, users } from '../../db/schema/index.ts'
import { usageColumns } from '../../db/sql/usage-columns.ts'

const KEY = 'quotas'
/** What the database's trigger calls it. */
const OVER_QUOTA = 'CTQ01'

/** Lets the database know the bounds on everyone. */
export async function saveUsualQuotas(executor: Executor, value: Quotas): Promise<void> {
  await executor
    .insert(settings)
    .values({ key: KEY, value })
    .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: sql`now()` } })
}

/** The bounds that were set for a person. */
export async function findOwnQuotas(executor: Executor, id: number) {
  const [found] = await executor
    .select({ id: users.id, quotas: users.quotas })
    .from(users)
    .where(eq(users.id, id))
  return found
}

/** The same, kept from other writers until the transaction ends. */
export async function lockOwnQuotas(executor: Executor, id: number) {
  await executor.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
  return findOwnQuotas(executor, id)
}

export async function saveOwnQuotas(
  executor: Executor,
  { id, quotas }: { id: number; quotas: Partial<Quotas> },
): Promise<void> {
  await executor.update(users).set({ quotas, updatedAt: sql`now()` }).where(eq(users.id, id))
}

export async function findUsage(executor: Executor, userId: number): Promise<QuotaCounts | undefined> {
  const [found] = await executor.select(usageColumns).from(usages).where(eq(usages.userId, userId))
  return found
}

/** Records who set which limits for whom. */
export async function createQuotaEvent(
  executor: Executor,
  { userId, ...event }: { actorId: number; userId: number; details: object },
): Promise<void> {
  await executor
    .insert(auditEvents)
    .values({ ...event, action: 'account.quotas_changed', objectType: 'user', objectId: userId })
}

const refusal = z.object({ quota: z.enum(COUNTED_QUOTAS), bound: z.int(), userId: z.int() })

/** What was refused, and whose it would be, where an error is the database's refusal of more than a bound. */
export function readQuotaRefusal(error: unknown): z.infer<typeof refusal> | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('code' in link && link.code === OVER_QUOTA && 'detail' in link)
      return refusal.parse(JSON.parse(String(link.detail)))
  }
  return undefined
}
