import { nameKey, type Share, type ShareRole } from '@catenary/contracts'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import { groups, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { groupsOf } from '../../database/statements/visible-rows.ts'
import { type RecordKey, TABLES } from './record-kinds.sql.ts'

/** People by name, then groups by name. */
export async function listShareRows(db: Executor, { kind, id }: RecordKey): Promise<Share[]> {
  const { shares, groupShares } = TABLES[kind]
  const people = await db
    .select({ username: users.displayUsername, role: shares.role })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(eq(shares.recordId, id))
    .orderBy(asc(byLetters(users.username)))
  const withGroups = await db
    .select({ group: groups.name, role: groupShares.role })
    .from(groupShares)
    .innerJoin(groups, eq(groups.id, groupShares.groupId))
    .where(eq(groupShares.recordId, id))
    .orderBy(asc(byLetters(groups.nameKey)))
  return [...people, ...withGroups]
}

export interface SharesToKeep {
  people: { userId: number; role: ShareRole }[]
  withGroups: { groupId: number; role: ShareRole }[]
}

export async function replaceShares(
  db: Executor,
  { kind, id, people, withGroups }: RecordKey & SharesToKeep,
): Promise<void> {
  const { shares, groupShares } = TABLES[kind]
  await db.delete(shares).where(eq(shares.recordId, id))
  await db.delete(groupShares).where(eq(groupShares.recordId, id))
  const rows = people.map((person) => ({ ...person, recordId: id }))
  if (rows.length > 0) await db.insert(shares).values(rows)
  const groupRows = withGroups.map((group) => ({ ...group, recordId: id }))
  if (groupRows.length > 0) await db.insert(groupShares).values(groupRows)
}

/** In one order. */
export async function listGroupIds(db: Executor, userId: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from (${groupsOf(userId)}) as own (id) order by id`)
  return rows.map(({ id }) => id)
}

export async function listSharedGroupIds(db: Executor, { kind, id }: RecordKey): Promise<number[]> {
  const { groupShares } = TABLES[kind]
  const rows = await db
    .select({ id: groupShares.groupId })
    .from(groupShares)
    .where(eq(groupShares.recordId, id))
  return rows.map(({ id }) => id)
}

/** Kept from being deleted until the transaction ends, whoever may see them. */
export function lockGroupsNamed(db: Executor, names: string[]): Promise<{ id: number; nameKey: string }[]> {
  return db
    .select({ id: groups.id, nameKey: groups.nameKey })
    .from(groups)
    .where(inArray(groups.nameKey, names.map(nameKey)))
    .orderBy(asc(groups.id))
    .for('key share')
}
