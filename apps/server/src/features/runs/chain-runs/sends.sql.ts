import { and, eq, sql } from 'drizzle-orm'
import { runSends } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

interface OfPerson {
  userId: number
  chainId: number
}

/** What they allowed when they last ran the chain. */
export async function findSends(db: Executor, { userId, chainId }: OfPerson): Promise<string[]> {
  const [found] = await db
    .select({ destinations: runSends.destinations })
    .from(runSends)
    .where(and(eq(runSends.userId, userId), eq(runSends.chainId, chainId)))
  return found?.destinations ?? []
}

export async function saveSends(db: Executor, sends: OfPerson & { destinations: string[] }): Promise<void> {
  const { destinations } = sends
  await db
    .insert(runSends)
    .values(sends)
    .onConflictDoUpdate({
      target: [runSends.userId, runSends.chainId],
      set: { destinations, confirmedAt: sql`now()` },
    })
}
