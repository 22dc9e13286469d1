import { eq, sql } from 'drizzle-orm'
import { copyRows } from '../../db/copy-rows.ts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { chainColumns, toRecord } from '../../db/record-columns.ts'
import { auditEvents, chainShares, chains, chainTags, users } from '../../db/schema/index.ts'
import { isShareOf } from '../../db/visible-rows.ts'
import type { ChainRecord } from './chain-record.ts'

type ChainFields = Omit<typeof chains.$inferInsert, 'ownerId' | 'revision' | 'createdAt' | 'updatedAt'>

const nextRevision = { revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` }

function selectChains(executor: Executor, { viewerId }: { viewerId: number | undefined }) {
  return executor
    .select({ ...chainColumns, exampleRequests: chains.exampleRequests })
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainShares, isShareOf(viewerId))
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
  return found && toRecord(found)
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
