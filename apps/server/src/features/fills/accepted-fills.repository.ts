import type { Fill } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainAcceptances, promptAcceptances } from '../../db/schema/index.ts'

/** What a person allowed with their acceptances of others' prompts or chains (D60, D69). */
export async function listAcceptedFills(
  executor: Executor,
  { userId, prompts, chains }: { userId: number; prompts: boolean; chains: boolean },
): Promise<Fill[]> {
  const lists: { fills: Fill[] }[] = []
  for (const [isAsked, accepted] of [
    [prompts, promptAcceptances],
    [chains, chainAcceptances],
  ] as const) {
    if (!isAsked) continue
    lists.push(
      ...(await executor.select({ fills: accepted.fills }).from(accepted).where(eq(accepted.userId, userId))),
    )
  }
  return lists.flatMap(({ fills }) => fills)
}
