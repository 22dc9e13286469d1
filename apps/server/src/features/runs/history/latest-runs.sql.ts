import { and, desc, eq, or, sql } from 'drizzle-orm'
import { chains, runs } from '../../../database/schema/index.ts'
import { isNotCell } from '../../../database/statements/evaluation-runs.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { isKeptRun } from '../../../database/statements/open-runs.ts'
import { chainsEditedBy, chainsVisibleTo } from '../../../database/statements/visible-rows.ts'

/** How many of a chain's newest runs are searched for one that the viewer may see. */
const RUNS_LOOKED_AT = 20
/** As many as a list has without a cursor. */
const CHAINS_MAX = 1_000

export function listLatestRuns(db: Executor, { userId }: { userId: number }) {
  const newest = db
    .select({
      id: runs.id,
      userId: runs.userId,
      visibilityEpoch: runs.visibilityEpoch,
      status: runs.status,
      stepCount: runs.stepCount,
      executedAt: runs.executedAt,
      finishedAt: runs.finishedAt,
      waitingFor: runs.waitingFor,
      isKept: sql<boolean>`${isKeptRun}`.as('is_kept'),
    })
    .from(runs)
    .where(and(eq(runs.chainId, chains.id), isNotCell))
    .orderBy(desc(runs.id))
    .limit(RUNS_LOOKED_AT)
    .as('newest')
  const isOwnerOrEditor = or(eq(chains.ownerId, userId), chainsEditedBy(userId))
  // The rows that `accessLevelOf` shows them, but for what an admin's role adds.
  const isSeen = and(
    eq(newest.visibilityEpoch, chains.visibilityEpoch),
    eq(chains.runsVisibleTo, 'editors'),
    sql`${chains.sharedLevel} <> 'public'`,
    isOwnerOrEditor,
  )
  const latest = db
    .select()
    .from(newest)
    .where(or(eq(newest.userId, userId), isSeen))
    .orderBy(desc(newest.id))
    .limit(1)
    .as('latest')
  const { id, status, stepCount, executedAt, finishedAt, waitingFor } = latest
  const isOpenTo = sql<boolean>`(${latest.userId} = ${userId} or not ${latest.isKept})`
  return db
    .select({
      chainId: chains.id,
      id,
      status,
      stepCount,
      executedAt,
      finishedAt,
      waitingFor,
      isOpenTo,
      completedSteps: sql<number>`(
        select count(*)::integer from execution_steps
        where execution_id = ${id} and execution_steps.status = 'completed')`,
    })
    .from(chains)
    .innerJoinLateral(latest, sql`true`)
    .where(chainsVisibleTo(userId))
    .orderBy(desc(id))
    .limit(CHAINS_MAX)
}
