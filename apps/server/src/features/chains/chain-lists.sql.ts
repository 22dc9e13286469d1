import { type Ownership, type SharedLevel, searchWords } from '@catenary/contracts'
import { and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { chainSteps, chains, chainTags, users } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Database, Executor } from '../../database/statements/executor.ts'
import { listState } from '../../database/statements/list-state.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'
import { chainColumns, toRecord } from '../../database/statements/record-columns.ts'
import { hasWords } from '../../database/statements/text-search.ts'
import { chainsSharedWith, chainsVisibleTo, roleOf } from '../../database/statements/visible-rows.ts'
import { type BriefChainRecord, keepChainSearch } from './chain-rows.sql.ts'

/** A chain as lists show it: with the beginning of its description, and the ids of its steps if it is visible. */
export interface ListedChainRecord extends BriefChainRecord {
  descriptionLength: number
  stepIds: number[]
}

interface Listing {
  viewerId: number | undefined
  includeHidden: boolean
  search?: string | undefined
  visibility?: SharedLevel | undefined
  ownership: Ownership
  tagIds?: number[] | undefined
}

interface Part {
  after: { key: string; id: number } | undefined
  limit: number
}

/** As a text: an array of numbers takes twice as long to read. */
const joinedStepIds = sql<string | null>`(
  select string_agg(${chainSteps.id}::text, ',') from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
)`

function isOwnedAs({ ownership, viewerId }: Pick<Listing, 'ownership' | 'viewerId'>): SQL | undefined {
  if (ownership === 'mine') return sql`${chains.ownerId} = ${viewerId ?? null}`
  if (ownership === 'all') return undefined
  return viewerId === undefined ? sql`false` : chainsSharedWith(viewerId)
}

const nameAndDescription = sql`${chains.searchName} || ' ' || ${chains.searchDescription}`

/** A hidden chain is never found by its tags or its description. */
function isListed(db: Executor, listing: Listing): SQL | undefined {
  const { viewerId, includeHidden, search = '', visibility, ownership, tagIds = [] } = listing
  const visible = chainsVisibleTo(viewerId)
  const words = searchWords(search)
  const tagged = db.select({ id: chainTags.chainId }).from(chainTags).where(inArray(chainTags.tagId, tagIds))
  return and(
    includeHidden && tagIds.length === 0 ? undefined : visible,
    tagIds.length > 0 ? inArray(chains.id, tagged) : undefined,
    visibility && eq(chains.sharedLevel, visibility),
    isOwnedAs({ ownership, viewerId }),
    words.length > 0
      ? or(hasWords(chains.searchName, words), and(visible, hasWords(nameAndDescription, words)))
      : undefined,
  )
}

export async function listChainRows(
  db: Database,
  { after, limit, ...listing }: Listing & Part,
): Promise<ListedChainRecord[]> {
  const { viewerId } = listing
  if (listing.search) await keepChainSearch(db)
  const isAfter =
    after && sql`(${chains.updatedAt}, ${chains.id}) < (${after.key}::timestamptz, ${after.id}::integer)`
  const query = db
    .select({
      ...chainColumns,
      shareRole: roleOf('chain', viewerId),
      description: clipOf(chains.description),
      descriptionLength: sql<number>`char_length(${chains.description})`,
      stepIds: sql<string | null>`case when ${chainsVisibleTo(viewerId)} then ${joinedStepIds} end`,
    })
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .where(and(isListed(db, listing), isAfter))
    .orderBy(desc(chains.updatedAt), desc(chains.id))
    .limit(limit)
  const rows = await (listing.search ? runLongStatement(db, () => query.execute()) : query)
  return rows.map(({ stepIds, descriptionLength, ...row }) => ({
    ...toRecord(row),
    descriptionLength,
    stepIds: stepIds?.split(',').map(Number) ?? [],
  }))
}

export async function countChains(db: Database, listing: Listing): Promise<number> {
  const query = db.select({ count: count() }).from(chains).where(isListed(db, listing))
  const [row] = await (listing.search ? runLongStatement(db, () => query.execute()) : query)
  return row?.count ?? 0
}

/** Changes whenever the list may: each write of a chain, its steps, tags or shares raises its revision. */
export async function findChainListState(
  db: Executor,
  { viewerId, includeHidden }: Pick<Listing, 'viewerId' | 'includeHidden'>,
): Promise<string> {
  const [row] = await db
    .select({ state: listState({ id: chains.id, revision: chains.revision }) })
    .from(chains)
    .where(includeHidden ? undefined : chainsVisibleTo(viewerId))
  if (row === undefined) throw new Error('The count returned no row')
  return row.state
}
