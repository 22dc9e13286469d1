import { LIST_PAGE_MAX } from '@catenary/contracts'
import { and, asc, count, countDistinct, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { chainShares, chainSteps, chains } from '../../db/schema/index.ts'
import { referencesIn, refersTo } from '../../db/variable-references.ts'
import { chainsVisibleTo, isShareOf } from '../../db/visible-rows.ts'

const template = chainSteps.content

/** Lower-case name → number of chains with a step that has a reference of that name. */
export function countChainsByReference(executor: Executor, { viewerId }: { viewerId: number }) {
  const referring = executor
    .select({
      chainId: chainSteps.chainId,
      name: sql<string>`lower((${referencesIn(template)})[1])`.as('name'),
    })
    .from(chainSteps)
    .innerJoin(chains, eq(chains.id, chainSteps.chainId))
    .leftJoin(chainShares, isShareOf(viewerId))
    .where(chainsVisibleTo(viewerId))
    .as('referring')
  return executor
    .select({ name: referring.name, count: countDistinct(referring.chainId) })
    .from(referring)
    .groupBy(referring.name)
}

/** By name, with the number of steps that refer. */
export function listReferringChains(
  executor: Executor,
  { viewerId, name }: { viewerId: number; name: string },
) {
  const { id, ownerId, sharedLevel } = chains
  return executor
    .select({
      id,
      name: chains.name,
      ownerId,
      sharedLevel,
      shareRole: chainShares.role,
      steps: count(chainSteps.id),
    })
    .from(chains)
    .innerJoin(chainSteps, eq(chainSteps.chainId, id))
    .leftJoin(chainShares, isShareOf(viewerId))
    .where(and(chainsVisibleTo(viewerId), refersTo({ template, name })))
    .groupBy(id, chainShares.role)
    .orderBy(asc(sql`lower(${chains.name})`), asc(id))
    .limit(LIST_PAGE_MAX)
}

/** The owner's chains that refer, kept from other writers until the transaction ends; always in the same order. */
export async function lockReferringChains(
  tx: Transaction,
  { ownerId, name }: { ownerId: number; name: string },
): Promise<number[]> {
  const referring = tx.select({ id: chainSteps.chainId }).from(chainSteps).where(refersTo({ template, name }))
  const rows = await tx
    .select({ id: chains.id })
    .from(chains)
    .where(and(eq(chains.ownerId, ownerId), inArray(chains.id, referring)))
    .orderBy(asc(chains.id))
    .for('update')
  return rows.map(({ id }) => id)
}

export function listReferringSteps(
  executor: Executor,
  { chainIds, name }: { chainIds: number[]; name: string },
) {
  const { id, chainId, title, content } = chainSteps
  return executor
    .select({ id, chainId, title, content })
    .from(chainSteps)
    .where(and(inArray(chainId, chainIds), refersTo({ template, name })))
}

export async function updateStepContent(
  tx: Transaction,
  { id, content }: { id: number; content: string },
): Promise<void> {
  await tx.update(chainSteps).set({ content, updatedAt: sql`now()` }).where(eq(chainSteps.id, id))
}

/** A new revision of each, updated now. */
export async function touchChains(tx: Transaction, chainIds: number[]): Promise<void> {
  await tx
    .update(chains)
    .set({ revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` })
    .where(inArray(chains.id, chainIds))
}
