import type { WaitingFor } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import { asks, runs } from '../../../database/schema/index.ts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { endlessLease } from '../engine/leases.sql.ts'

interface Claimed {
  executionId: number
  attempt: number
}

/** Locked; undefined where it has ended, or another worker has it. */
export async function findWaitingRun(tx: Transaction, { executionId, attempt }: Claimed) {
  const [found] = await tx
    .select({
      userId: runs.userId,
      chainId: runs.chainId,
      waitingFor: runs.waitingFor,
      cancelRequestedAt: runs.cancelRequestedAt,
    })
    .from(runs)
    .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt), eq(runs.status, 'running')))
    .for('update')
  if (found === undefined || found.chainId === null) return undefined
  const { userId, chainId, waitingFor, cancelRequestedAt } = found
  return { userId, chainId, isWaiting: waitingFor !== null, cancelRequested: cancelRequestedAt !== null }
}

export async function insertAsk(tx: Transaction, ask: typeof asks.$inferInsert): Promise<number> {
  const [created] = await tx.insert(asks).values(ask).returning({ id: asks.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** Whoever called it has an answer by then: the run ends with no process. */
export async function letWait(
  tx: Transaction,
  { executionId, waitingFor }: { executionId: number; waitingFor: WaitingFor },
): Promise<void> {
  await tx
    .update(runs)
    .set({ waitingFor, leaseUntil: endlessLease, endsWithProcess: false })
    .where(eq(runs.id, executionId))
}
