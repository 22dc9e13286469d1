import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainShares, chainSteps, chains, chainTags, tags } from '../../db/schema/index.ts'
import { chainsVisibleTo, isShareOf } from '../../db/visible-rows.ts'

/** Chains that one token reaches. */
const REACHED_MAX = 5_000

/** What tells a chain from others. */
export interface ReachableChain {
  id: number
  name: string
  description: string
  exampleRequests: string[]
  tags: string[]
  stepTitles: string[]
  createdAt: Date
}

/** The chains that the person can see and that have steps; of these ids, where given. */
export function listReachableChains(
  executor: Executor,
  { userId, ids }: { userId: number; ids: number[] | undefined },
): Promise<ReachableChain[]> {
  const stepTitles = sql<string[]>`array(
    select ${chainSteps.title} from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
    order by ${chainSteps.position}, ${chainSteps.id}
  )`
  const tagNames = sql<string[]>`array(
    select ${tags.name} from ${chainTags} inner join ${tags} on ${tags.id} = ${chainTags.tagId}
    where ${chainTags.chainId} = ${chains.id} order by ${tags.name}
  )`
  const { id, name, description, exampleRequests, createdAt } = chains
  return executor
    .select({ id, name, description, exampleRequests, createdAt, tags: tagNames, stepTitles })
    .from(chains)
    .leftJoin(chainShares, isShareOf(userId))
    .where(
      and(
        chainsVisibleTo(userId),
        ids === undefined ? undefined : inArray(chains.id, ids),
        sql`exists (select 1 from ${chainSteps} where ${eq(chainSteps.chainId, chains.id)})`,
      ),
    )
    .orderBy(asc(chains.id))
    .limit(REACHED_MAX)
}
