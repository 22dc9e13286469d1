import { and, eq, inArray, sql } from 'drizzle-orm'
import { chainLabels, chains, runs, users } from '../../database/schema/index.ts'
import { copyRows } from '../../database/statements/copy-rows.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { inBatches } from '../../database/statements/long-statements.ts'
import { NOTE_NOTHING } from '../../database/statements/note-nothing.ts'
import { chainColumns, chainLabelList, toRecord } from '../../database/statements/record-columns.ts'
import { roleOf } from '../../database/statements/visible-rows.ts'
import { lockRecord } from '../records/records.ts'
import { type ChainFields, type ChainRecord, chainSearchColumns, nextRevision } from './chain-rows.sql.ts'

interface Wanted {
  id: number
  viewerId: number | undefined
}

export async function findOptionalChain(
  db: Executor,
  { id, viewerId }: Wanted,
): Promise<ChainRecord | undefined> {
  // Named, as to plan who sees it takes the database longer than to read it, and a save reads it twice.
  const [found] = await db
    .select({
      ...chainColumns,
      shareRole: roleOf('chain', sql.placeholder('viewerId')),
      slug: chains.slug,
      version: chains.version,
      labels: chainLabelList,
      exampleRequests: chains.exampleRequests,
      asksFirst: chains.asksFirst,
    })
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .where(eq(chains.id, sql.placeholder('id')))
    .prepare('find_chain_for')
    .execute({ id, viewerId: viewerId ?? null })
  return found && toRecord(found)
}

export async function findChain(db: Executor, wanted: Wanted): Promise<ChainRecord> {
  const found = await findOptionalChain(db, wanted)
  if (found === undefined) throw new Error(`There is no chain ${wanted.id}`)
  return found
}

export async function lockOptionalChain(tx: Transaction, wanted: Wanted): Promise<ChainRecord | undefined> {
  await lockRecord(tx, { kind: 'chain', id: wanted.id })
  return findOptionalChain(tx, wanted)
}

/** The label stays until the transaction ends: removing one locks the chain first. */
export async function lockLabel(
  tx: Transaction,
  { chainId, label }: { chainId: number; label: string },
): Promise<boolean> {
  await tx.select({ id: chains.id }).from(chains).where(eq(chains.id, chainId)).for('key share')
  const isLabel = and(eq(chainLabels.recordId, chainId), eq(chainLabels.label, label))
  return (await tx.$count(chainLabels, isLabel)) > 0
}

export async function insertChain(db: Executor, chain: ChainFields & { ownerId: number }): Promise<number> {
  const [created] = await db
    .insert(chains)
    .values({ ...chain, ...chainSearchColumns(chain) })
    .returning({ id: chains.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

export async function copyChain(
  db: Executor,
  { id, ...own }: { id: number; name: string; ownerId: number; writtenByOthers: boolean },
): Promise<number> {
  const [copyId] = await copyRows(db, {
    table: chains,
    where: eq(chains.id, id),
    given: { ...own, slug: '', sharedLevel: 'private', version: 1, revision: 1 },
  })
  if (copyId === undefined) throw new Error(`There is no chain ${id}`)
  return copyId
}

/** Saves fields of which no version is kept, if any: a new revision, updated now. */
export async function updateChainRow(
  db: Executor,
  { id, ...fields }: Partial<ChainFields> & { id: number },
): Promise<void> {
  await db
    .update(chains)
    .set({ ...fields, ...chainSearchColumns(fields), ...nextRevision })
    .where(eq(chains.id, id))
}

/** Deletes what ran of a chain, in slices: its history may be longer than one statement should take. */
export async function deleteRunsOfChain(db: Database, chainId: number): Promise<void> {
  await inBatches(db, async (size) => {
    const slice = db.select({ id: runs.id }).from(runs).where(eq(runs.chainId, chainId)).limit(size)
    const { rowCount } = await db.delete(runs).where(and(inArray(runs.id, slice), sql.raw(NOTE_NOTHING)))
    return rowCount ?? 0
  })
}

export async function deleteChainRow(db: Executor, id: number): Promise<void> {
  await db.delete(chains).where(eq(chains.id, id))
}
