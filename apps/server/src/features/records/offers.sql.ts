import type { Fill, KeptSend, RecordKind } from '@catenary/contracts'
import { and, asc, desc, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainSteps,
  chains,
  promptSkills,
  prompts,
  users,
} from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { isOf, isVisibleTo, type RecordKey, TABLES } from './record-kinds.sql.ts'

interface OfferedTo {
  kind: RecordKind
  userId: number
}

const SHOWN = {
  chain: { name: chains.name, description: clipOf(chains.description), isSkill: sql<boolean>`false` },
  prompt: {
    name: prompts.title,
    description: sql<string>`''`,
    isSkill: sql<boolean>`exists (select from ${promptSkills} where ${promptSkills.promptId} = ${prompts.id})`,
  },
}

const IS_PUBLIC = {
  chain: sql<boolean>`${chains.sharedLevel} = 'public'`,
  prompt: sql<boolean>`${prompts.isPublic}`,
}

/** A chain without steps can't run: it is offered once it has some, and shown while it is accepted. */
const CAN_RUN = {
  chain: or(
    sql`exists (select 1 from ${chainSteps} where ${eq(chainSteps.chainId, chains.id)})`,
    isNotNull(chainAcceptances.createdAt),
  ),
  prompt: undefined,
}

function isOffered({ kind, userId }: OfferedTo): SQL | undefined {
  return and(ne(TABLES[kind].records.ownerId, userId), isVisibleTo(kind, userId), CAN_RUN[kind])
}

export function listOfferRows(
  db: Executor,
  { before, limit, ...to }: OfferedTo & { before: number | undefined; limit: number },
) {
  const { kind, userId } = to
  const { records, acceptances } = TABLES[kind]
  return db
    .select({
      id: records.id,
      ...SHOWN[kind],
      owner: users.displayUsername,
      ownerIsAdmin: sql<boolean>`${users.role} = 'admin'`,
      isPublic: IS_PUBLIC[kind],
      acceptedAt: acceptances.createdAt,
      fills: acceptances.fills,
      sends: sql<KeptSend[] | null>`${kind === 'chain' ? chainAcceptances.sends : sql`null::jsonb`}`.mapWith(
        chainAcceptances.sends,
      ),
    })
    .from(records)
    .innerJoin(users, eq(users.id, records.ownerId))
    .leftJoin(acceptances, isOf(kind, { rows: acceptances, userId }))
    .where(and(isOffered(to), before === undefined ? undefined : lt(records.id, before)))
    .orderBy(desc(records.id))
    .limit(limit)
}

export async function countOfferRows(db: Executor, to: OfferedTo): Promise<number> {
  const { kind, userId } = to
  const { records, acceptances } = TABLES[kind]
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(records)
    .leftJoin(acceptances, isOf(kind, { rows: acceptances, userId }))
    .where(isOffered(to))
  return row?.count ?? 0
}

/** The records that the person can see, locked, as they are themselves, so that access can't be revoked until the transaction ends. */
export async function lockVisibleRecords(
  tx: Transaction,
  { kind, ids, userId }: OfferedTo & { ids: number[] },
): Promise<{ id: number; ownerId: number }[]> {
  const { records } = TABLES[kind]
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('share')
  await tx
    .select({ id: records.id })
    .from(records)
    .where(inArray(records.id, ids))
    .orderBy(asc(records.id))
    .for('share')
  return tx
    .select({ id: records.id, ownerId: records.ownerId })
    .from(records)
    .where(and(inArray(records.id, ids), isVisibleTo(kind, userId)))
}

export async function saveAcceptance(
  tx: Transaction,
  {
    kind,
    id: recordId,
    userId,
    fills,
    sends,
  }: RecordKey & { userId: number; fills: Fill[]; sends: KeptSend[] | undefined },
): Promise<void> {
  const { acceptances } = TABLES[kind]
  const allowed = { fills, ...(kind === 'chain' && sends && { sends }) }
  await tx
    .insert(acceptances)
    .values({ recordId, userId, ...allowed })
    .onConflictDoUpdate({ target: [acceptances.userId, acceptances.recordId], set: allowed })
}

export async function deleteAcceptance(
  db: Executor,
  { kind, id, userId }: RecordKey & { userId: number },
): Promise<boolean> {
  const { acceptances } = TABLES[kind]
  const { rowCount } = await db
    .delete(acceptances)
    .where(and(eq(acceptances.recordId, id), eq(acceptances.userId, userId)))
  return rowCount === 1
}

/**
 * Ends the acceptances of people who no longer see what they accepted, of a record or of those people: shared with them
 * again, it is a new offer.
 */
export async function endLostAcceptances(
  tx: Transaction,
  { kind, ...of }: { kind: RecordKind } & ({ id: number } | { userIds: number[] }),
): Promise<void> {
  const { records, acceptances } = TABLES[kind]
  const { recordId, userId } = acceptances
  const visible = tx
    .select({ one: sql`1` })
    .from(records)
    .where(and(eq(records.id, recordId), isVisibleTo(kind, userId)))
  const isOfThem = 'id' in of ? eq(recordId, of.id) : inArray(userId, of.userIds)
  await tx.delete(acceptances).where(and(isOfThem, sql`not exists ${visible}`))
}
