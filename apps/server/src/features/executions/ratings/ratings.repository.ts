import type { RateRequest } from '@catenary/contracts'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../../db/executor.ts'
import { executionRatings, executions, users } from '../../../db/schema/index.ts'

interface Wanted {
  executionId: number
  userId: number
}

const { thumb, note, ratedAt } = executionRatings

function isTheirs({ executionId, userId }: Wanted) {
  return and(eq(executionRatings.executionId, executionId), eq(executionRatings.userId, userId))
}

/** Keeps the run from being deleted until the transaction ends; tells whether it is there. */
export async function lockRun(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx
    .select({ id: executions.id })
    .from(executions)
    .where(eq(executions.id, id))
    .for('key share')
  return found.length > 0
}

export async function saveRating(
  executor: Executor,
  { rating, ...wanted }: Wanted & { rating: RateRequest },
) {
  await executor
    .insert(executionRatings)
    .values({ ...wanted, ...rating })
    .onConflictDoUpdate({
      target: [executionRatings.executionId, executionRatings.userId],
      set: { ...rating, ratedAt: sql`now()` },
    })
}

export async function deleteRating(executor: Executor, wanted: Wanted): Promise<void> {
  await executor.delete(executionRatings).where(isTheirs(wanted))
}

export async function findOptionalRating(executor: Executor, wanted: Wanted) {
  const [found] = await executor.select({ thumb, note }).from(executionRatings).where(isTheirs(wanted))
  return found
}

/** What others than this person think of the run, newest first. */
export function listOthersRatings(
  executor: Executor,
  { executionId, userId, limit }: Wanted & { limit: number },
) {
  return executor
    .select({ thumb, note, ratedAt, username: users.displayUsername })
    .from(executionRatings)
    .innerJoin(users, eq(users.id, executionRatings.userId))
    .where(and(eq(executionRatings.executionId, executionId), ne(executionRatings.userId, userId)))
    .orderBy(desc(ratedAt), desc(executionRatings.userId))
    .limit(limit)
}
