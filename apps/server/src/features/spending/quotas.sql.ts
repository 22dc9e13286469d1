import { COUNTED_QUOTAS, type QuotaCounts, type Quotas } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { groups, usageCalls, usageSlots, usages, users } from '../../database/schema/index.ts'
import type { Database, Executor } from '../../database/statements/executor.ts'
import { preparePlain } from '../../database/statements/plain-statement.ts'
import { writeSetting } from '../../database/statements/stored-setting.ts'
import { usageColumns } from '../../database/statements/usage-columns.ts'
import { groupsOf } from '../../database/statements/visible-rows.ts'

const KEY = 'quotas'
/** What the database's trigger calls it. */
const OVER_QUOTA = 'CTQ01'

export function saveUsualQuotas(db: Executor, value: Quotas): Promise<void> {
  return writeSetting(db, { key: KEY, value })
}

/** The highest bound of each kind that the person's groups give; the database's trigger counts by the same. */
const given = sql`coalesce((
  select jsonb_object_agg(quota, most) from (
    select bound.key as quota, max(bound.value::bigint) as most
    from ${groups} cross join lateral jsonb_each_text(${groups.quotas}) as bound
    where ${groups.id} = any(array(${groupsOf(users.id)})) group by bound.key
  ) as highest
), '{}')`

export async function findOwnQuotas(db: Executor, id: number) {
  const [found] = await db
    // One within another: of a statement on one table Drizzle writes columns without it.
    .select({ id: users.id, quotas: users.quotas, given: sql<Partial<Quotas>>`${given}` })
    .from(users)
    .where(eq(users.id, id))
  return found
}

export async function lockOwnQuotas(db: Executor, id: number) {
  await db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
  return findOwnQuotas(db, id)
}

export async function saveOwnQuotas(
  db: Executor,
  { id, quotas }: { id: number; quotas: Partial<Quotas> },
): Promise<void> {
  await db.update(users).set({ quotas, updatedAt: sql`now()` }).where(eq(users.id, id))
}

export async function findGroupQuotas(db: Executor, id: number): Promise<Partial<Quotas> | undefined> {
  const [found] = await db.select({ quotas: groups.quotas }).from(groups).where(eq(groups.id, id))
  return found?.quotas
}

export async function lockGroupQuotas(db: Executor, id: number): Promise<Partial<Quotas> | undefined> {
  await db.select({ id: groups.id }).from(groups).where(eq(groups.id, id)).for('no key update')
  return findGroupQuotas(db, id)
}

export async function saveGroupQuotas(
  db: Executor,
  { id, quotas }: { id: number; quotas: Partial<Quotas> },
): Promise<void> {
  await db.update(groups).set({ quotas }).where(eq(groups.id, id))
}

export async function findUsage(db: Executor, userId: number): Promise<QuotaCounts | undefined> {
  const [found] = await db.select(usageColumns).from(usages).where(eq(usages.userId, userId))
  return found
}

const refusal = z.object({ quota: z.enum(COUNTED_QUOTAS), bound: z.int(), userId: z.int() })

export function readQuotaRefusal(error: unknown): z.infer<typeof refusal> | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('code' in link && link.code === OVER_QUOTA && 'detail' in link)
      return refusal.parse(JSON.parse(String(link.detail)))
  }
  return undefined
}

interface SpentSince {
  userId: number
  /** ISO 8601. */
  since: string
}

/** Prepared: what a person's answers cost since then, and everyone's, in nano-dollars. */
export function prepareFindSpent(
  db: Database,
): (wanted: SpentSince) => Promise<{ person: number; everyone: number }> {
  const since = sql`${sql.placeholder('since')}::timestamptz`
  const userId = sql`${sql.placeholder('userId')}::integer`
  // As plain selects, so that each takes its own index: a person's runs are few among everyone's.
  const counted = (whose: ReturnType<typeof sql>) =>
    sql`(select coalesce(sum(cost_nanos), 0) from ${usageSlots} where user_id = ${whose} and at >= ${since})`
  const find = preparePlain<SpentSince, { person: number; everyone: number }>({
    db,
    name: 'find_spent',
    query: db
      .select({
        person: sql`(${counted(userId)} + (select coalesce(sum(cost_nanos), 0) from ${usageCalls}
          where user_id = ${userId} and at >= ${since}))::double precision as person`,
        everyone: sql`(${counted(sql`0`)} + (select coalesce(sum(cost_nanos), 0) from ${usageCalls}
          where at >= ${since}))::double precision as everyone`,
      })
      .from(sql`(select) as once`),
    readerOf: (name) => (wanted) => wanted[name as keyof SpentSince],
  })
  return async (wanted) => (await find(wanted))[0] ?? { person: 0, everyone: 0 }
}
