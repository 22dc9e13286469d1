import { HOOK_REPEAT_DAYS } from '@catenary/contracts'
import { and, desc, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import { hookDeliveries } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

interface NamedDelivery {
  tokenId: number
  deliveryId: string
}

const isPast = sql`${hookDeliveries.createdAt} <= now() - make_interval(days => ${HOOK_REPEAT_DAYS})`

const isKnown = ({ tokenId, deliveryId }: NamedDelivery): SQL | undefined =>
  and(eq(hookDeliveries.apiTokenId, tokenId), eq(hookDeliveries.knownAs, deliveryId))

/** Counts a repeat of one that began a run lately; that run. */
export async function repeatDelivery(db: Executor, delivery: NamedDelivery): Promise<number | undefined> {
  const [found] = await db
    .update(hookDeliveries)
    .set({ repeats: sql`${hookDeliveries.repeats} + 1`, lastAt: sql`now()` })
    .where(and(isKnown(delivery), sql`not ${isPast}`))
    .returning({ executionId: hookDeliveries.executionId })
  return found?.executionId ?? undefined
}

/** False where another call brought the delivery meanwhile. */
export async function insertDelivery(
  tx: Transaction,
  {
    tokenId,
    deliveryId,
    ...delivery
  }: { tokenId: number; deliveryId: string | null; address: string; executionId: number },
): Promise<boolean> {
  if (deliveryId !== null)
    await tx
      .update(hookDeliveries)
      .set({ knownAs: null })
      .where(and(isKnown({ tokenId, deliveryId }), isPast))
  const { rowCount } = await tx
    .insert(hookDeliveries)
    .values({ ...delivery, apiTokenId: tokenId, deliveryId, knownAs: deliveryId, status: 202 })
    .onConflictDoNothing()
  return rowCount === 1
}

export async function insertRefused(
  db: Executor,
  {
    tokenId,
    ...refused
  }: { tokenId: number; deliveryId: string | null; address: string; status: number; reason: string },
): Promise<number> {
  const [inserted] = await db
    .insert(hookDeliveries)
    .values({ ...refused, apiTokenId: tokenId })
    .returning({ id: hookDeliveries.id })
  return inserted?.id ?? 0
}

/** Whoever knows an address could fill the table. */
export async function trimRefused(
  db: Executor,
  { tokenId, keep }: { tokenId: number; keep: number },
): Promise<void> {
  const isRefused = and(eq(hookDeliveries.apiTokenId, tokenId), ne(hookDeliveries.status, 202))
  const old = db
    .select({ id: hookDeliveries.id })
    .from(hookDeliveries)
    .where(isRefused)
    .orderBy(desc(hookDeliveries.id))
    .offset(keep)
  await db.delete(hookDeliveries).where(sql`${hookDeliveries.id} in ${old}`)
}

export function listDeliveries(
  db: Executor,
  { tokenId, before, limit }: { tokenId: number; before: number | undefined; limit: number },
) {
  const { id, apiTokenId } = hookDeliveries
  return db
    .select()
    .from(hookDeliveries)
    .where(and(eq(apiTokenId, tokenId), before === undefined ? undefined : lt(id, before)))
    .orderBy(desc(id))
    .limit(limit)
}

export const countDeliveries = (db: Executor, tokenId: number): Promise<number> =>
  db.$count(hookDeliveries, eq(hookDeliveries.apiTokenId, tokenId))
