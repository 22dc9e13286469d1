import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import {
  chainAcceptances,
  chainLabels,
  chainShares,
  chainSlugs,
  chainSteps,
  chains,
  chainTags,
  tags,
} from '../../db/schema/index.ts'
import { chainsInAllOf, chainsVisibleTo, isAcceptanceOf, isShareOf } from '../../db/sql/visible-rows.ts'

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

interface FoundChain extends ReachableChain {
  /** It has, or had, the slug that is asked for. */
  hasSlug: boolean
}

/** Chains with steps that the person can see: of these ids, or all of their tokens (D60). */
export function listReachableChains(
  executor: Executor,
  {
    userId,
    ids,
    slug = null,
  }: { userId: number; ids: number[] | undefined; slug?: string | null | undefined },
): Promise<FoundChain[]> {
  const stepTitles = sql<string[]>`array(
    select ${chainSteps.title} from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
    order by ${chainSteps.position}, ${chainSteps.id}
  )`
  const tagNames = sql<string[]>`array(
    select ${tags.name} from ${chainTags} inner join ${tags} on ${tags.id} = ${chainTags.tagId}
    where ${chainTags.chainId} = ${chains.id} order by ${tags.name}
  )`
  const ofSlug = sql`(select chain_id from ${chainSlugs} where ${chainSlugs.slug} = ${slug})`
  const { id, name, description, exampleRequests, createdAt } = chains
  return executor
    .select({
      id,
      name,
      description,
      exampleRequests,
      createdAt,
      tags: tagNames,
      stepTitles,
      hasSlug: sql<boolean>`coalesce(${id} = ${ofSlug}, false)`,
    })
    .from(chains)
    .leftJoin(chainShares, isShareOf(userId))
    .leftJoin(chainAcceptances, isAcceptanceOf(userId))
    .where(
      and(
        chainsVisibleTo(userId),
        ids === undefined ? chainsInAllOf(userId) : inArray(chains.id, ids),
        sql`exists (select 1 from ${chainSteps} where ${eq(chainSteps.chainId, chains.id)})`,
      ),
    )
    .orderBy(asc(chains.id))
    .limit(REACHED_MAX)
}

/** The slug and labels of each chain, at most so many. */
export function listChainNames(executor: Executor, { ids, labels }: { ids: number[]; labels: number }) {
  const { label, recordId } = chainLabels
  return executor
    .select({
      id: chains.id,
      slug: chains.slug,
      labels: sql<string[]>`array(
        select ${label} from ${chainLabels} where ${recordId} = ${chains.id} order by ${label} limit ${labels}
      )`,
    })
    .from(chains)
    .where(inArray(chains.id, ids))
}
