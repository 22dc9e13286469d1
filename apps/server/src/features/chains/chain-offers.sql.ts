import type { Fill } from '@catenary/contracts'
import { and, asc, desc, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { chainAcceptances, chainShares, chainSteps, chains, users } from '../../db/schema/index.ts'
import { clipOf } from '../../db/sql/clipped-text.ts'
import { chainsVisibleTo, isAcceptanceOf, isShareOf } from '../../db/sql/visible-rows.ts'

/** Others' chains that the person can see, and that can run or that they accepted. */
function isOffered(userId: number): SQL | undefined {
  const hasSteps = sql`exists (select 1 from ${chainSteps} where ${eq(chainSteps.chainId, chains.id)})`
  return and(
    ne(chains.ownerId, userId),
    chainsVisibleTo(userId),
    or(hasSteps, isNotNull(chainAcceptances.createdAt)),
  )
}

/** Newest chain first, from before an id on. */
export function listOffers(
  db: Executor,
  { userId, before, limit }: { userId: number; before: number | undefined; limit: number },
) {
  return db
    .select({
      chainId: chains.id,
      chainName: chains.name,
      description: clipOf(chains.description),
      owner: users.displayUsername,
      ownerIsAdmin: sql<boolean>`${users.role} = 'admin'`,
      isPublic: sql<boolean>`${chains.sharedLevel} = 'public'`,
      acceptedAt: chainAcceptances.createdAt,
      fills: chainAcceptances.fills,
    })
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainShares, isShareOf(userId))
    .leftJoin(chainAcceptances, isAcceptanceOf(userId))
    .where(and(isOffered(userId), before === undefined ? undefined : lt(chains.id, before)))
    .orderBy(desc(chains.id))
    .limit(limit)
}

export async function countOffers(db: Executor, userId: number): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(chains)
    .leftJoin(chainShares, isShareOf(userId))
    .leftJoin(chainAcceptances, isAcceptanceOf(userId))
    .where(isOffered(userId))
  return row?.count ?? 0
}

/** The chains that the person can see, locked so that access can't be revoked until the transaction ends. */
export async function lockVisibleChains(
  tx: Transaction,
  { ids, userId }: { ids: number[]; userId: number },
): Promise<{ id: number; ownerId: number }[]> {
  await tx
    .select({ id: chains.id })
    .from(chains)
    .where(inArray(chains.id, ids))
    .orderBy(asc(chains.id))
    .for('share')
  return tx
    .select({ id: chains.id, ownerId: chains.ownerId })
    .from(chains)
    .leftJoin(chainShares, isShareOf(userId))
    .where(and(inArray(chains.id, ids), chainsVisibleTo(userId)))
}

export async function createAcceptances(
  tx: Transaction,
  { ids, userId, fillsOf }: { ids: number[]; userId: number; fillsOf: (id: number) => Promise<Fill[]> },
): Promise<void> {
  for (const recordId of ids) {
    const fills = await fillsOf(recordId)
    await tx
      .insert(chainAcceptances)
      .values({ recordId, userId, fills })
      .onConflictDoUpdate({ target: [chainAcceptances.userId, chainAcceptances.recordId], set: { fills } })
  }
}

/** Whether there was one. */
export async function deleteAcceptance(
  db: Executor,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const deleted = await db
    .delete(chainAcceptances)
    .where(and(eq(chainAcceptances.recordId, id), eq(chainAcceptances.userId, userId)))
    .returning({ id: chainAcceptances.recordId })
  return deleted.length > 0
}

/** Ends the acceptances of people who no longer see the chain: shared with them again, it is a new offer. */
export async function endLostAcceptances(tx: Transaction, chainId: number): Promise<void> {
  const visible = tx
    .select({ one: sql`1` })
    .from(chains)
    .leftJoin(chainShares, isShareOf(chainAcceptances.userId))
    .where(and(eq(chains.id, chainAcceptances.recordId), chainsVisibleTo(chainAcceptances.userId)))
  await tx
    .delete(chainAcceptances)
    .where(and(eq(chainAcceptances.recordId, chainId), sql`not exists ${visible}`))
}
