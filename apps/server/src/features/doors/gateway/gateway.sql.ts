import { asc, inArray, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainLabels,
  chainNames,
  chainSteps,
  chains,
  chainTags,
  tags,
} from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { keyOrderOf } from '../../../database/statements/name-keys.ts'
import { exactFirst, isCalled, meantFirst, readNames } from '../../../database/statements/named-rows.ts'
import { isAcceptanceOf } from '../../../database/statements/visible-rows.ts'
import { isChainWithin } from '../reach.sql.ts'

const REACHED_MAX = 5_000

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
  /** It is the one that the slug asked for means, of those within reach (D48). */
  isMeant: boolean
}

/** Chains with steps that the person can see: of these ids, or all of their tokens (D60). */
export async function listReachableChains(
  db: Executor,
  { slug = '', ...reach }: Parameters<typeof isChainWithin>[0] & { slug?: string | undefined },
): Promise<FoundChain[]> {
  const userId = reach.user.id
  const stepTitles = sql<string[]>`array(
    select ${chainSteps.title} from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
    order by ${chainSteps.position}, ${chainSteps.id}
  )`
  const tagNames = sql<string[]>`array(
    select ${tags.name} from ${chainTags} inner join ${tags} on ${tags.id} = ${chainTags.tagId}
    where ${chainTags.chainId} = ${chains.id} order by ${keyOrderOf(tags)}
  )`
  const { id, name, description, exampleRequests, createdAt } = chains
  const rows = await db
    .select({
      id,
      name,
      description,
      exampleRequests,
      createdAt,
      tags: tagNames,
      stepTitles,
      called: sql<boolean | null>`(
        select ${exactFirst(chainNames, slug)} from ${chainNames}
        where ${chainNames.recordId} = ${chains.id} and ${isCalled(chainNames, slug)} order by 1 limit 1
      )`,
      place: sql<number>`(row_number() over (order by ${meantFirst('chain', userId)}))::integer`,
    })
    .from(chains)
    .leftJoin(chainAcceptances, isAcceptanceOf(userId))
    .where(isChainWithin(reach))
    .orderBy(asc(chains.id))
    .limit(REACHED_MAX)
  const named = rows.filter(({ called }) => called !== null)
  const [meant] = named.toSorted((a, b) => Number(a.called) - Number(b.called) || a.place - b.place)
  return rows.map(({ called: _, place: __, ...row }) => ({ ...row, isMeant: row.id === meant?.id }))
}

/** The aliases that may answer in a chain as it is (without a label), and in its labelled versions. */
export async function listChainAliases(
  db: Executor,
  ids: number[],
): Promise<{ id: number; label: string | null; aliases: string[] }[]> {
  const wanted = sql`any(${sql.param(ids)}::integer[])`
  const { rows } = await db.execute<{ id: number; label: string | null; aliases: string[] }>(sql`
    select chain_id as id, null as label, array_agg(distinct alias) as aliases
    from chain_steps, unnest(array[model, fallback_model]) as alias
    where chain_id = ${wanted} and alias is not null group by chain_id
    union all
    select l.chain_id, l.label, array(
      select distinct alias from jsonb_array_elements(v.steps) as step,
        unnest(array[step ->> 'model', step ->> 'fallbackModel']) as alias where alias is not null)
    from chain_labels l join chain_versions v on v.chain_id = l.chain_id and v.number = l.version
    where l.chain_id = ${wanted}`)
  return rows
}

/** What the person's programs call each chain, and at most so many of its labels. */
export async function listChainNames(
  db: Executor,
  { ids, labels, userId }: { ids: number[]; labels: number; userId: number },
) {
  const { label, recordId } = chainLabels
  const rows = await db
    .select({
      id: chains.id,
      slug: chains.slug,
      labels: sql<string[]>`array(
        select ${label} from ${chainLabels} where ${recordId} = ${chains.id} order by ${label} limit ${labels}
      )`,
    })
    .from(chains)
    .where(inArray(chains.id, ids))
  const names = await readNames(db, { kind: 'chain', ids, viewerId: userId })
  return rows.map((row) => ({ ...row, slug: names.get(row.id) ?? row.slug }))
}
