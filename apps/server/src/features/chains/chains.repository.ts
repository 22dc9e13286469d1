import type { Chain, ShareRole } from '@catenary/contracts'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { copyRows } from '../../db/copy-rows.ts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { listState } from '../../db/list-state.ts'
import { auditEvents, chainShares, chainSteps, chains, chainTags, users } from '../../db/schema/index.ts'
import { tagListOf } from '../../db/tag-list.ts'
import { chainsVisibleTo, isShareOf } from '../../db/visible-rows.ts'

/** A chain as stored, and the viewer's role in its shares. */
export type ChainRecord = Omit<Chain, 'canView' | 'canEdit' | 'canDelete' | 'canExecute' | 'steps'> & {
  ownerId: number
  shareRole: ShareRole | null
}

/** All but its name and whose it is, empty: for whom a chain is listed but not shown. */
export const hiddenFields: Omit<
  ChainRecord,
  'id' | 'ownerId' | 'owner' | 'name' | 'sharedLevel' | 'shareRole' | 'revision' | 'createdAt' | 'updatedAt'
> = { description: '', tags: [], exampleRequests: [] }

type ChainFields = Omit<typeof chains.$inferInsert, 'ownerId' | 'revision' | 'createdAt' | 'updatedAt'>

const chainTagList = tagListOf({ links: chainTags, linked: chainTags.chainId, id: chains.id })

/** As a text: an array of numbers takes twice as long to read. */
const joinedStepIds = sql<string | null>`(
  select string_agg(${chainSteps.id}::text, ',') from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
)`

const chainColumns = {
  id: chains.id,
  ownerId: chains.ownerId,
  owner: users.displayUsername,
  name: chains.name,
  description: chains.description,
  sharedLevel: chains.sharedLevel,
  shareRole: chainShares.role,
  exampleRequests: chains.exampleRequests,
  tags: chainTagList,
  revision: chains.revision,
  createdAt: chains.createdAt,
  updatedAt: chains.updatedAt,
}

const nextRevision = { revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` }

function selectChains(executor: Executor, { viewerId }: { viewerId: number | undefined }) {
  return executor
    .select(chainColumns)
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainShares, isShareOf(viewerId))
}

function toChainRecord({
  createdAt,
  updatedAt,
  ...rest
}: Awaited<ReturnType<typeof selectChains>>[number]): ChainRecord {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** Which chain, and for whom its share is looked up. */
interface Wanted {
  id: number
  viewerId: number | undefined
}

export async function findOptionalChain(
  executor: Executor,
  { id, viewerId }: Wanted,
): Promise<ChainRecord | undefined> {
  const [found] = await selectChains(executor, { viewerId }).where(eq(chains.id, id))
  return found && toChainRecord(found)
}

export async function findChain(executor: Executor, wanted: Wanted): Promise<ChainRecord> {
  const found = await findOptionalChain(executor, wanted)
  if (found === undefined) throw new Error(`There is no chain ${wanted.id}`)
  return found
}

/** The current state; chain, tags, shares and steps are kept from other writers until the transaction ends. */
export async function lockOptionalChain(tx: Transaction, wanted: Wanted): Promise<ChainRecord | undefined> {
  // In two steps: a row that was waited for comes with the tags and shares of before the wait.
  await tx.select({ id: chains.id }).from(chains).where(eq(chains.id, wanted.id)).for('update')
  return findOptionalChain(tx, wanted)
}

/** The new chain's id. */
export async function createChain(
  executor: Executor,
  chain: ChainFields & { ownerId: number },
): Promise<number> {
  const [created] = await executor.insert(chains).values(chain).returning({ id: chains.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** The id of a private copy with that name and owner. */
export async function copyChain(
  executor: Executor,
  { id, ...own }: { id: number; name: string; ownerId: number },
): Promise<number> {
  const [copyId] = await copyRows(executor, {
    table: chains,
    where: eq(chains.id, id),
    given: { ...own, sharedLevel: 'private', revision: 1 },
  })
  if (copyId === undefined) throw new Error(`There is no chain ${id}`)
  return copyId
}

/** Saves the given fields, if any: a new revision, updated now. */
export async function updateChain(
  executor: Executor,
  { id, ...fields }: Partial<ChainFields> & { id: number },
): Promise<void> {
  await executor
    .update(chains)
    .set({ ...fields, ...nextRevision })
    .where(eq(chains.id, id))
}

export async function deleteChain(executor: Executor, id: number): Promise<void> {
  await executor.delete(chains).where(eq(chains.id, id))
}

/** Notes for later who did what to a chain. */
export async function createChainEvent(
  executor: Executor,
  { chainId, ...event }: { actorId: number; chainId: number; action: string; details: object },
): Promise<void> {
  await executor.insert(auditEvents).values({ ...event, objectType: 'chain', objectId: chainId })
}

export async function replaceChainTags(
  executor: Executor,
  { chainId, tagIds }: { chainId: number; tagIds: number[] },
): Promise<void> {
  await executor.delete(chainTags).where(eq(chainTags.chainId, chainId))
  const rows = [...new Set(tagIds)].map((tagId) => ({ chainId, tagId }))
  if (rows.length > 0) await executor.insert(chainTags).values(rows)
}

/** Who looks, and what they narrow the list to. */
interface Listing {
  viewerId: number | undefined
  /** Lists those that the viewer can't see, too. */
  includeHidden: boolean
  tagIds?: number[] | undefined
}

/** Last updated first, each that is visible with the ids of its steps; a hidden chain is never found by its tags. */
export async function listChains(
  executor: Executor,
  { viewerId, includeHidden, tagIds = [] }: Listing,
): Promise<(ChainRecord & { stepIds: number[] })[]> {
  const visible = chainsVisibleTo(viewerId)
  const tagged = executor
    .select({ id: chainTags.chainId })
    .from(chainTags)
    .where(inArray(chainTags.tagId, tagIds))
  const rows = await executor
    .select({ ...chainColumns, stepIds: sql<string | null>`case when ${visible} then ${joinedStepIds} end` })
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainShares, isShareOf(viewerId))
    .where(
      and(
        includeHidden && tagIds.length === 0 ? undefined : visible,
        tagIds.length > 0 ? inArray(chains.id, tagged) : undefined,
      ),
    )
    .orderBy(desc(chains.updatedAt), desc(chains.id))
  return rows.map(({ stepIds, ...row }) => ({
    ...toChainRecord(row),
    stepIds: stepIds?.split(',').map(Number) ?? [],
  }))
}

/** Another text whenever the list may be another: each write of a chain, its steps, tags or shares raises its revision. */
export async function findChainListState(
  executor: Executor,
  { viewerId, includeHidden }: Omit<Listing, 'tagIds'>,
): Promise<string> {
  const [row] = await executor
    .select({ state: listState({ id: chains.id, revision: chains.revision }) })
    .from(chains)
    .leftJoin(chainShares, isShareOf(viewerId))
    .where(includeHidden ? undefined : chainsVisibleTo(viewerId))
  if (row === undefined) throw new Error('The count returned no row')
  return row.state
}
