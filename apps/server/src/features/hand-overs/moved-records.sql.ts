import type { RecordKind } from '@catenary/contracts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import {
  allowedCalls,
  chainAcceptances,
  chainGroupShares,
  chainNames,
  chainShares,
  chainSteps,
  chains,
  examples,
  importedChains,
  importedPrompts,
  importedSuites,
  promptAcceptances,
  promptNames,
  promptShares,
  prompts,
  stepSecrets,
  testCases,
  testSuites,
  usages,
  users,
  variableFetches,
  variables,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'

interface RecordKey {
  kind: RecordKind
  id: number
}

const TABLES = {
  chain: {
    acceptances: chainAcceptances,
    names: chainNames,
    shares: chainShares,
    ofSuite: testSuites.chainId,
    ofExample: examples.chainId,
    imported: importedChains,
    ofImport: importedChains.chainId,
  },
  prompt: {
    acceptances: promptAcceptances,
    names: promptNames,
    shares: promptShares,
    ofSuite: testSuites.promptId,
    ofExample: examples.promptId,
    imported: importedPrompts,
    ofImport: importedPrompts.promptId,
  },
} as const satisfies Record<RecordKind, unknown>

/** Neither account ends before the transaction does. */
export async function lockPeople(tx: Transaction, userIds: number[]): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(asc(users.id))
    .for('share')
}

/** What both store is counted in one order. After the record: saves lock it before they are counted. */
export async function lockUsages(tx: Transaction, userIds: number[]): Promise<void> {
  await tx
    .select({ id: usages.userId })
    .from(usages)
    .where(inArray(usages.userId, userIds))
    .orderBy(asc(usages.userId))
    .for('update')
}

/** `sharedLevel` where that of a chain has to be another. */
export async function moveRecord(
  tx: Transaction,
  { kind, id, ownerId, sharedLevel }: RecordKey & { ownerId: number; sharedLevel?: 'shared' | undefined },
): Promise<void> {
  if (kind === 'prompt') {
    const revision = sql`${prompts.revision} + 1`
    await tx.update(prompts).set({ ownerId, revision }).where(eq(prompts.id, id))
  } else {
    const revision = sql`${chains.revision} + 1`
    const updatedAt = sql`now()`
    await tx.update(chains).set({ ownerId, sharedLevel, revision, updatedAt }).where(eq(chains.id, id))
  }
}

/** A value that was sealed acts in the name of whoever set it. */
export async function endSealedValues(tx: Transaction, chainId: number): Promise<void> {
  const steps = tx.select({ id: chainSteps.id }).from(chainSteps).where(eq(chainSteps.chainId, chainId))
  await tx.delete(stepSecrets).where(inArray(stepSecrets.stepId, steps))
  await tx.delete(allowedCalls).where(inArray(allowedCalls.stepId, steps))
}

/**
 * Its names among those of its new owner; returns those that another of their records has. Taken away and given again,
 * as the triggers that keep them for the version before know of nothing else.
 */
export async function moveNames(
  tx: Transaction,
  { kind, id, ownerId }: RecordKey & { ownerId: number },
): Promise<{ name: string; isAlias: boolean }[]> {
  const { names } = TABLES[kind]
  const had = await tx.delete(names).where(eq(names.recordId, id)).returning()
  if (had.length === 0) return []
  const taken = await tx
    .insert(names)
    .values(had.map((row) => ({ ...row, ownerId })))
    .onConflictDoNothing()
    .returning({ name: names.name })
  const given = new Set(taken.map(({ name }) => name))
  return had.flatMap(({ name, ...row }) =>
    given.has(name) ? [] : [{ name, isAlias: 'isAlias' in row && row.isAlias === true }],
  )
}

/** One of its name, as that of a duplicate. */
export async function takeSlug(tx: Transaction, { kind, id }: RecordKey): Promise<void> {
  if (kind === 'prompt') {
    const slug = sql`take_prompt_name(${prompts.id}, ${prompts.ownerId}, ${prompts.title})`
    await tx.update(prompts).set({ slug }).where(eq(prompts.id, id))
  } else {
    const slug = sql`take_chain_name(${chains.id}, ${chains.ownerId}, ${chains.name})`
    await tx.update(chains).set({ slug }).where(eq(chains.id, id))
  }
}

export async function findSlug(db: Executor, { kind, id }: RecordKey): Promise<string | undefined> {
  const records = kind === 'prompt' ? prompts : chains
  const [found] = await db.select({ slug: records.slug }).from(records).where(eq(records.id, id))
  return found?.slug
}

export async function isPrivateChain(db: Executor, id: number): Promise<boolean> {
  const [found] = await db.select({ level: chains.sharedLevel }).from(chains).where(eq(chains.id, id))
  return found?.level === 'private'
}

/** Of a private chain nobody who was on them sees it: they would if it came to be shared. */
export async function deleteChainShares(tx: Transaction, id: number): Promise<void> {
  await tx.delete(chainShares).where(eq(chainShares.recordId, id))
  await tx.delete(chainGroupShares).where(eq(chainGroupShares.recordId, id))
}

/** What was given to the new owner as one of others, they have as the owner now. */
export async function deleteOwnersRights(
  tx: Transaction,
  { kind, id, ownerId }: RecordKey & { ownerId: number },
): Promise<void> {
  for (const rows of [TABLES[kind].shares, TABLES[kind].acceptances])
    await tx.delete(rows).where(and(eq(rows.recordId, id), eq(rows.userId, ownerId)))
}

export async function addEditor(
  tx: Transaction,
  { kind, id, userId }: RecordKey & { userId: number },
): Promise<void> {
  await tx.insert(TABLES[kind].shares).values({ recordId: id, userId, role: 'editor' })
}

/** Its test suites, which are its owner's. */
export async function moveSuites(
  tx: Transaction,
  { kind, id, ownerId }: RecordKey & { ownerId: number },
): Promise<void> {
  const moved = await tx
    .update(testSuites)
    .set({ ownerId })
    .where(eq(TABLES[kind].ofSuite, id))
    .returning({ id: testSuites.id })
  const suiteIds = moved.map((suite) => suite.id)
  await tx.update(testCases).set({ ownerId }).where(inArray(testCases.suiteId, suiteIds))
  await tx.delete(importedSuites).where(inArray(importedSuites.suiteId, suiteIds))
  await tx.delete(examples).where(inArray(examples.suiteId, suiteIds))
}

/** What its former owner could take back of it: an import, an example. */
export async function endOrigin(tx: Transaction, { kind, id }: RecordKey): Promise<void> {
  const { imported, ofImport, ofExample } = TABLES[kind]
  await tx.delete(imported).where(eq(ofImport, id))
  await tx.delete(examples).where(eq(ofExample, id))
}

export async function findMovedVariable(db: Executor, id: number) {
  const { name, type, content } = variables
  const [found] = await db.select({ name, type, content }).from(variables).where(eq(variables.id, id))
  return found
}

/**
 * Without what the former owner's secrets and accounts open: values of headers, the file in their Google Drive, and what
 * was fetched with these. False where the new owner has one of that name.
 */
export async function moveVariable(
  tx: Transaction,
  { id, ownerId, content }: { id: number; ownerId: number; content: string },
): Promise<boolean> {
  try {
    await tx
      .update(variables)
      .set({
        ownerId,
        content,
        apiHeaders: {},
        googleDriveFileId: '',
        revision: sql`${variables.revision} + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(variables.id, id))
  } catch (error) {
    if (/^variables_owner_(key|name_lower)$/.test(violatedConstraint(error) ?? '')) return false
    throw error
  }
  await tx.delete(variableFetches).where(eq(variableFetches.variableId, id))
  await tx.delete(examples).where(eq(examples.variableId, id))
  return true
}
