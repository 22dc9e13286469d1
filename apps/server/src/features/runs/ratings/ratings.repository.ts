import type { RateRequest } from '@catenary/contracts'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../../db/executor.ts'
import { runRatings, runs, users } from '../../../db/schema/index.ts'

interface Wanted {
  executionId: number
  userId: number
}

const { thumb, note, ratedAt } = runRatings

function isTheirs({ executionId, userId }: Wanted) {
  return and(eq(runRatings.executionId, executionId), eq(runRatings.userId, userId))
}

/** Keeps the run from being deleted until the transaction ends; tells whether it is there. */
export async function lockRun(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx.select({ id: runs.id }).from(runs).where(eq(runs.id, id)).for('key share')
  return found.length > 0
}

export async function saveRating(
  executor: Executor,
  { rating, ...wanted }: Wanted & { rating: RateRequest },
) {
  await executor
    .insert(runRatings)
    .values({ ...wanted, ...rating })
    .onConflictDoUpdate({
      target: [runRatings.executionId, runRatings.userId],
      set: { ...rating, ratedAt: sql`now()` },
    })
}

export async function deleteRating(executor: Executor, wanted: Wanted): Promise<void> {
  await executor.delete(runRatings).where(isTheirs(wanted))
}

export async function findOptionalRating(executor: Executor, wanted: Wanted) {
  const [found] = await executor.select({ thumb, note }).from(runRatings).where(isTheirs(wanted))
  return found
}

/** What others than this person think of the run, newest first. */
export function listOthersRatings(
  executor: Executor,
  { executionId, userId, limit }: Wanted & { limit: number },
) {
  return executor
    .select({ thumb, note, ratedAt, username: users.displayUsername })
    .from(runRatings)
    .innerJoin(users, eq(users.id, runRatings.userId))
    .where(and(eq(runRatings.executionId, executionId), ne(runRatings.userId, userId)))
    .orderBy(desc(ratedAt), desc(runRatings.userId))
    .limit(limit)
}
