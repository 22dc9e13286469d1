import { EVERYONE_ID, GROUP_MAKERS, type GroupMakers, nameKey, type RecordKind } from '@catenary/contracts'
import { and, asc, eq, gt, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { byLetters } from '../../database/schema/columns.ts'
import {
  chainGroupShares,
  chains,
  groupMembers,
  groups,
  promptGroupShares,
  prompts,
  users,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'
import { chainsVisibleTo, groupsOf, promptsVisibleTo } from '../../database/statements/visible-rows.ts'

const ofGroup = sql`${groupMembers.groupId} = ${groups.id}`
const isLeading = sql`${groupMembers.isLeader}`

const namesOf = (which: SQL) => sql`array(
  select ${users.displayUsername} from ${groupMembers} inner join ${users} on ${users.id} = ${groupMembers.userId}
  where ${ofGroup} and ${which} order by ${byLetters(users.username)}
)`
const countOf = (rows: typeof groupMembers | typeof promptGroupShares | typeof chainGroupShares) =>
  sql`(select count(*) from ${rows} where ${rows.groupId} = ${groups.id})`

const memberCount = sql`case when ${groups.id} = ${sql.raw(String(EVERYONE_ID))}
  then (select count(*) from ${users} where ${users.banned} is not true)
  else ${countOf(groupMembers)} end`

function selectGroups(db: Executor, userId: number) {
  const own = (which: SQL) =>
    sql`exists (select from ${groupMembers} where ${ofGroup} and ${groupMembers.userId} = ${userId} and ${which})`
  // Each within another: of a statement on one table Drizzle writes columns without it.
  return db
    .select({
      id: groups.id,
      name: groups.name,
      memberCount: sql<number>`(${memberCount})::integer`,
      members: sql<string[]>`${namesOf(sql`true`)}`,
      leaders: sql<string[]>`${namesOf(isLeading)}`,
      shareCount: sql<number>`(${countOf(promptGroupShares)} + ${countOf(chainGroupShares)})::integer`,
      isMember: sql<boolean>`${own(sql`true`)}`,
      isLeader: sql<boolean>`${own(isLeading)}`,
    })
    .from(groups)
}

export type GroupRow = Awaited<ReturnType<typeof listGroupRows>>[number]

interface Listed {
  userId: number
  /** Also those that the person is not in. */
  includesAll: boolean
}

const isListed = ({ userId, includesAll }: Listed): SQL | undefined =>
  includesAll ? undefined : sql`${groups.id} = any(array(${groupsOf(userId)}))`

export function listGroupRows(
  db: Executor,
  { after = 0, limit, ...listed }: Listed & { after?: number | undefined; limit: number },
) {
  return selectGroups(db, listed.userId)
    .where(and(isListed(listed), gt(groups.id, after)))
    .orderBy(asc(groups.id))
    .limit(limit)
}

export const countGroups = (db: Executor, listed: Listed): Promise<number> =>
  db.$count(groups, isListed(listed))

export async function findOptionalGroup(
  db: Executor,
  { userId, ...wanted }: { userId: number } & ({ id: number } | { name: string }),
): Promise<GroupRow | undefined> {
  const isWanted = 'id' in wanted ? eq(groups.id, wanted.id) : eq(groups.nameKey, nameKey(wanted.name))
  const [found] = await selectGroups(db, userId).where(isWanted)
  return found
}

export async function lockGroup(tx: Transaction, id: number): Promise<void> {
  await tx.select({ id: groups.id }).from(groups).where(eq(groups.id, id)).for('update')
}

/** The id of the new group, or undefined where one has the name, or one that looks the same. */
export async function insertGroup(
  tx: Transaction,
  { name, madeBy }: { name: string; madeBy: number },
): Promise<number | undefined> {
  const [created] = await tx
    .insert(groups)
    .values({ name, nameKey: nameKey(name), madeBy })
    .onConflictDoNothing()
    .returning({ id: groups.id })
  return created?.id
}

/** False where another has the name. */
export async function updateGroupName(
  tx: Transaction,
  { id, name }: { id: number; name: string },
): Promise<boolean> {
  try {
    // A savepoint: what is refused leaves the transaction usable.
    await tx.transaction((inner) =>
      inner
        .update(groups)
        .set({ name, nameKey: nameKey(name) })
        .where(eq(groups.id, id)),
    )
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'groups_name_key') return false
    throw error
  }
}

export async function deleteGroupRow(tx: Transaction, id: number): Promise<void> {
  await tx.delete(groups).where(eq(groups.id, id))
}

export function listMembers(db: Executor, groupId: number): Promise<{ id: number; isLeader: boolean }[]> {
  return db
    .select({ id: groupMembers.userId, isLeader: groupMembers.isLeader })
    .from(groupMembers)
    .where(eq(groupMembers.groupId, groupId))
    .orderBy(asc(groupMembers.userId))
}

/** Of these people nobody accepts anything until the transaction ends. In one order: two that lock the same wait for each other. */
export async function lockPeople(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, ids))
    .orderBy(asc(users.id))
    .for('no key update')
}

interface People {
  groupId: number
  userIds: number[]
}

export async function addMembers(tx: Transaction, { groupId, userIds }: People): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .insert(groupMembers)
    .values(userIds.map((userId) => ({ groupId, userId })))
    .onConflictDoNothing()
}

/** Those that stay keep their part in it. */
export async function removeMembersBut(tx: Transaction, { groupId, userIds }: People): Promise<void> {
  const isGone = userIds.length === 0 ? undefined : notInArray(groupMembers.userId, userIds)
  await tx.delete(groupMembers).where(and(eq(groupMembers.groupId, groupId), isGone))
}

export async function saveLeaders(tx: Transaction, { groupId, userIds }: People): Promise<void> {
  await tx
    .update(groupMembers)
    .set({ isLeader: sql`${groupMembers.userId} = any(${sql.param(userIds)}::integer[])` })
    .where(eq(groupMembers.groupId, groupId))
}

interface Shared {
  groupId: number
  viewerId: number
  limit: number
}

/** What the viewer sees of what is shared with the group: the first by name, and how many in all. */
export async function listGroupShares(db: Executor, { groupId, viewerId, limit }: Shared) {
  const total = sql<number>`(count(*) over ())::integer`
  const ofPrompts = await db
    .select({ id: prompts.id, title: prompts.title, role: promptGroupShares.role, total })
    .from(promptGroupShares)
    .innerJoin(prompts, eq(prompts.id, promptGroupShares.recordId))
    .where(and(eq(promptGroupShares.groupId, groupId), promptsVisibleTo(viewerId)))
    .orderBy(asc(byLetters(prompts.title)), asc(prompts.id))
    .limit(limit)
  const ofChains = await db
    .select({ id: chains.id, title: chains.name, role: chainGroupShares.role, total })
    .from(chainGroupShares)
    .innerJoin(chains, eq(chains.id, chainGroupShares.recordId))
    .where(and(eq(chainGroupShares.groupId, groupId), chainsVisibleTo(viewerId)))
    .orderBy(asc(byLetters(chains.name)), asc(chains.id))
    .limit(limit)
  const named = [
    ...ofPrompts.map((row) => ({ kind: 'prompt' as RecordKind, ...row })),
    ...ofChains.map((row) => ({ kind: 'chain' as RecordKind, ...row })),
  ]
  return {
    shares: named.slice(0, limit).map(({ total: _, ...share }) => share),
    total: (ofPrompts[0]?.total ?? 0) + (ofChains[0]?.total ?? 0),
  }
}

const MADE_BY = 'groups-made-by'

/** Admins, unless they let everyone. */
export async function readMakers(db: Executor): Promise<GroupMakers> {
  return z
    .enum(GROUP_MAKERS)
    .catch('admins')
    .parse(await readSetting(db, MADE_BY))
}

export function saveMakers(db: Executor, madeBy: GroupMakers): Promise<void> {
  return writeSetting(db, { key: MADE_BY, value: madeBy })
}
