import type { ChainShare, ShareRole } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainShares, users } from '../../db/schema/index.ts'

/** By username. */
export function listShares(executor: Executor, chainId: number): Promise<ChainShare[]> {
  return executor
    .select({ username: users.displayUsername, role: chainShares.role })
    .from(chainShares)
    .innerJoin(users, eq(users.id, chainShares.userId))
    .where(eq(chainShares.chainId, chainId))
    .orderBy(asc(users.username))
}

export async function replaceShares(
  executor: Executor,
  { chainId, shares }: { chainId: number; shares: { userId: number; role: ShareRole }[] },
): Promise<void> {
  await executor.delete(chainShares).where(eq(chainShares.chainId, chainId))
  const rows = shares.map((share) => ({ ...share, chainId }))
  if (rows.length > 0) await executor.insert(chainShares).values(rows)
}
