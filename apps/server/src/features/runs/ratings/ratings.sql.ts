import type { RateRequest } from '@catenary/contracts'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { runRatings, runs, users } from '../../../database/schema/index.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'

interface Wanted {
  executionId: number
  userId: number
}

const { thumb, note, ratedAt } = runRatings

function isTheirs({ executionId, userId }: Wanted) {
  return and(eq(runRatings.executionId, executionId), eq(runRatings.userId, userId))
}

export async function lockRun(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx.select({ id: runs.id }).from(runs).where(eq(runs.id, id)).for('key share')
  return found.length > 0
}

export async function saveRating(db: Executor, { rating, ...wanted }: Wanted & { rating: RateRequest }) {
  await db
    .insert(runRatings)
    .values({ ...wanted, ...rating })
    .onConflictDoUpdate({
      target: [runRatings.executionId, runRatings.userId],
      set: { ...rating, ratedAt: sql`now()` },
    })
}

export async function deleteRating(db: Executor, wanted: Wanted): Promise<void> {
  await db.delete(runRatings).where(isTheirs(wanted))
}

export async function findOptionalRating(db: Executor, wanted: Wanted) {
  const [found] = await db.select({ thumb, note }).from(runRatings).where(isTheirs(wanted))
  return found
}

export function listOthersRatings(db: Executor, { executionId, userId, limit }: Wanted & { limit: number }) {
  return db
    .select({ thumb, note, ratedAt, username: users.displayUsername })
    .from(runRatings)
    .innerJoin(users, eq(users.id, runRatings.userId))
    .where(and(eq(runRatings.executionId, executionId), ne(runRatings.userId, userId)))
    .orderBy(desc(ratedAt), desc(runRatings.userId))
    .limit(limit)
}
