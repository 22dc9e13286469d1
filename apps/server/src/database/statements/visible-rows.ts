import { EVERYONE_ID, type RecordKind, type ShareRole } from '@catenary/contracts'
import { and, type Column, eq, isNotNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainGroupShares,
  chainShares,
  chains,
  groupMembers,
  promptAcceptances,
  promptGroupShares,
  promptShares,
  prompts,
  variables,
} from '../schema/index.ts'

/** Null for a guest in what is prepared. */
type PersonId = number | Column | Placeholder
/** Undefined for a guest. */
type ViewerId = PersonId | undefined

const GIVEN = {
  prompt: { records: prompts, byName: promptShares, byGroup: promptGroupShares },
  chain: { records: chains, byName: chainShares, byGroup: chainGroupShares },
} as const

const EVERYONE = sql.raw(String(EVERYONE_ID))

const groupsNaming = (personId: PersonId): SQL =>
  sql`select ${groupMembers.groupId} from ${groupMembers} where ${groupMembers.userId} = ${personId}`

/** The ids of the groups that a person is in: everyone's, and those that list them. */
export function groupsOf(personId: PersonId): SQL {
  return sql`${groupsNaming(personId)} union all select ${EVERYONE} where ${personId}::integer is not null`
}

interface Sharing {
  personId: PersonId
  groups: SQL
  groupId?: SQL
}

/**
 * Which records are shared with a person, and as what: by name, and with groups that they are in, so once or several times.
 * All that asks who sees a record asks this.
 */
function sharesWith(
  kind: RecordKind,
  { personId, groups, groupId = sql`${GIVEN[kind].byGroup.groupId}` }: Sharing,
): SQL {
  const { byName, byGroup } = GIVEN[kind]
  return sql`(
    select ${byName.recordId}, ${byName.role} from ${byName} where ${byName.userId} = ${personId}
    union all select ${byGroup.recordId}, ${byGroup.role} from ${byGroup} where ${groupId} = any(array(${groups}))
  ) as given (record_id, role)`
}

interface Shared {
  personId: PersonId
  groups?: SQL
  role?: SQL
}

/** Of others' records. As an array: the planner then takes them for the few that they are. */
function isShared(kind: RecordKind, { personId, groups = groupsOf(personId), role }: Shared): SQL {
  const { records } = GIVEN[kind]
  const shares = sharesWith(kind, { personId, groups })
  const ids = sql`select record_id from ${shares}${role === undefined ? sql`` : sql` where role = ${role}`}`
  return sql`(${records.ownerId} <> ${personId} and ${records.id} = any(array(${ids})))`
}

export const isSharedWith = (kind: RecordKind, personId: PersonId): SQL => isShared(kind, { personId })

/** Without what is shared with everyone, which is as little one person's as what is public. */
export const isSharedByName = (kind: RecordKind, personId: PersonId): SQL =>
  isShared(kind, { personId, groups: groupsNaming(personId) })

/** The highest role that the person has by shares, in others' records; whether it counts at their level is another question. */
export function roleOf(kind: RecordKind, personId: ViewerId): SQL<ShareRole | null> {
  if (personId === undefined) return sql`null::share_role`
  const { records, byGroup } = GIVEN[kind]
  // A sum is in no index: the few groups of a record are read at once, not each group of the person looked for in it.
  const groupId = sql`${byGroup.groupId} + 0`
  const shares = sharesWith(kind, { personId, groups: groupsOf(personId), groupId })
  const role = sql`(
    select max(role) from ${shares} where record_id = ${records.id} and ${records.ownerId} <> ${personId}
  )`
  // One within another: of a statement on one table Drizzle writes columns without it.
  return sql`${role}`
}

export function promptsVisibleTo(viewerId: ViewerId): SQL | undefined {
  const isPublicOrOwn = publicOrOwn(prompts, viewerId)
  return viewerId === undefined ? isPublicOrOwn : or(isPublicOrOwn, isSharedWith('prompt', viewerId))
}

export function variablesVisibleTo(viewerId: ViewerId): SQL | undefined {
  return publicOrOwn(variables, viewerId)
}

function publicOrOwn(rows: typeof prompts | typeof variables, viewerId: ViewerId): SQL | undefined {
  const isPublic = eq(rows.isPublic, true)
  return viewerId === undefined ? isPublic : or(isPublic, eq(rows.ownerId, viewerId))
}

const isLevelShared = eq(chains.sharedLevel, 'shared')

/** While their level lets shares count. */
export function chainsSharedWith(personId: PersonId): SQL | undefined {
  return and(isLevelShared, isSharedWith('chain', personId))
}

/** The same of those that the person may change. */
export function chainsEditedBy(personId: PersonId): SQL | undefined {
  return and(isLevelShared, isShared('chain', { personId, role: sql`'editor'` }))
}

export function chainsVisibleTo(viewerId: ViewerId): SQL | undefined {
  const isPublic = eq(chains.sharedLevel, 'public')
  if (viewerId === undefined) return isPublic
  return or(isPublic, eq(chains.ownerId, viewerId), chainsSharedWith(viewerId))
}

export function isAcceptanceOf(userId: number): SQL | undefined {
  return and(eq(chainAcceptances.recordId, chains.id), eq(chainAcceptances.userId, userId))
}

/** What 'all' of a person's tokens holds: their own chains, and others' that they accepted; joined with `isAcceptanceOf`. */
export function chainsInAllOf(userId: number): SQL | undefined {
  return or(eq(chains.ownerId, userId), isNotNull(chainAcceptances.userId))
}

export function promptsInAllOf(userId: number): SQL | undefined {
  const { recordId, userId: whose } = promptAcceptances
  const accepted = sql`${prompts.id} = any(array(select ${recordId} from ${promptAcceptances} where ${whose} = ${userId}))`
  return or(eq(prompts.ownerId, userId), accepted)
}
