import type { KeptRight, OwnedKind } from '@catenary/contracts'
import { and, desc, eq, gt, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { chains, handOvers, prompts, users, variables } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import {
  chainsVisibleTo,
  promptsVisibleTo,
  variablesVisibleTo,
} from '../../database/statements/visible-rows.ts'

export interface OwnedKey {
  kind: OwnedKind
  id: number
}

const OWNED = {
  chain: { records: chains, offered: handOvers.chainId, isVisibleTo: chainsVisibleTo },
  prompt: { records: prompts, offered: handOvers.promptId, isVisibleTo: promptsVisibleTo },
  variable: { records: variables, offered: handOvers.variableId, isVisibleTo: variablesVisibleTo },
} as const satisfies Record<OwnedKind, unknown>

/** Whatever the person may see of it. */
export async function findOptionalOwned(
  db: Executor,
  { kind, id, viewerId }: OwnedKey & { viewerId: number },
) {
  const { records, isVisibleTo } = OWNED[kind]
  const [found] = await db
    .select({
      ownerId: records.ownerId,
      owner: users.displayUsername,
      canView: sql<boolean>`coalesce(${isVisibleTo(viewerId)}, false)`,
    })
    .from(records)
    .innerJoin(users, eq(users.id, records.ownerId))
    .where(eq(records.id, id))
  return found
}

/** Read it afterwards: a row that was waited for would come as it was before the wait. */
export async function lockOwned(tx: Transaction, { kind, id }: OwnedKey): Promise<void> {
  const { records } = OWNED[kind]
  await tx.select({ id: records.id }).from(records).where(eq(records.id, id)).for('update')
}

/** By the name as it is compared; a disabled account is as good as none. */
export async function findOptionalRecipient(
  db: Executor,
  username: string,
): Promise<{ id: number } | undefined> {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.username, username.toLowerCase()), eq(users.banned, false)))
  return found
}

const owners = alias(users, 'owners')
const recipients = alias(users, 'recipients')

function selectHandOvers(db: Executor, viewerId: number) {
  const isVisible = or(promptsVisibleTo(viewerId), chainsVisibleTo(viewerId), variablesVisibleTo(viewerId))
  return db
    .select({
      id: handOvers.id,
      kind: sql<OwnedKind>`case when ${handOvers.promptId} is not null then 'prompt'
        when ${handOvers.chainId} is not null then 'chain' else 'variable' end`,
      recordId: sql<number>`coalesce(${handOvers.promptId}, ${handOvers.chainId}, ${handOvers.variableId})`,
      title: sql<string>`coalesce(${prompts.title}, ${chains.name}, ${variables.name})`,
      ownerId: handOvers.ownerId,
      owner: owners.displayUsername,
      userId: handOvers.userId,
      to: recipients.displayUsername,
      keep: handOvers.keep,
      createdAt: handOvers.createdAt,
      canView: sql<boolean>`coalesce(${isVisible}, false)`,
    })
    .from(handOvers)
    .leftJoin(prompts, eq(prompts.id, handOvers.promptId))
    .leftJoin(chains, eq(chains.id, handOvers.chainId))
    .leftJoin(variables, eq(variables.id, handOvers.variableId))
    .innerJoin(owners, eq(owners.id, handOvers.ownerId))
    .innerJoin(recipients, eq(recipients.id, handOvers.userId))
}

export type HandOverRow = Awaited<ReturnType<typeof listHandOverRows>>[number]

/** It has not ended by its time, nor with one of the two accounts. */
function isPending(since: Date): SQL | undefined {
  const isOfDisabled = sql`exists (
    select from ${users} where ${users.id} in (${handOvers.ownerId}, ${handOvers.userId}) and ${users.banned}
  )`
  return and(gt(handOvers.createdAt, since), sql`not ${isOfDisabled}`)
}

interface Listed {
  userId: number
  since: Date
}

const isListed = ({ userId, since }: Listed): SQL | undefined =>
  and(isPending(since), or(eq(handOvers.userId, userId), eq(handOvers.ownerId, userId)))

export function listHandOverRows(
  db: Executor,
  { before, limit, ...listed }: Listed & { before: number | undefined; limit: number },
) {
  return selectHandOvers(db, listed.userId)
    .where(and(isListed(listed), before === undefined ? undefined : lt(handOvers.id, before)))
    .orderBy(desc(handOvers.id))
    .limit(limit)
}

export const countHandOvers = (db: Executor, listed: Listed): Promise<number> =>
  db.$count(handOvers, isListed(listed))

export async function findOptionalHandOver(
  db: Executor,
  { kind, id, viewerId, since }: OwnedKey & { viewerId: number; since: Date },
): Promise<HandOverRow | undefined> {
  const [found] = await selectHandOvers(db, viewerId).where(
    and(eq(OWNED[kind].offered, id), isPending(since)),
  )
  return found
}

interface NewHandOver extends OwnedKey {
  ownerId: number
  userId: number
  keep: KeptRight
  createdAt: Date
}

/** In place of an earlier one. */
export async function replaceHandOver(tx: Transaction, { kind, id, ...offer }: NewHandOver): Promise<void> {
  await deleteHandOver(tx, { kind, id })
  await tx.insert(handOvers).values({ ...offer, [`${kind}Id` as const]: id })
}

export async function deleteHandOver(tx: Transaction, { kind, id }: OwnedKey): Promise<void> {
  await tx.delete(handOvers).where(eq(OWNED[kind].offered, id))
}

/** Those that ended by their time; how many. */
export async function deletePastHandOvers(db: Executor, { since }: Pick<Listed, 'since'>): Promise<number> {
  const deleted = await db
    .delete(handOvers)
    .where(lte(handOvers.createdAt, since))
    .returning({ id: handOvers.id })
  return deleted.length
}
