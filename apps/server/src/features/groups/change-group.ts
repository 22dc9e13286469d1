import {
  type CreateGroupRequest,
  GROUP_LEADERS_MAX,
  GROUP_MEMBERS_MAX,
  type Group,
  type UpdateGroupRequest,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { listByUsernames } from '../accounts/accounts.ts'
import { recordActivity } from '../activity/activity.ts'
import { endLostAcceptances } from '../records/records.ts'
import { canEditGroup, canMakeGroups, canSeeGroup } from './groups.policy.ts'
import {
  addMembers,
  deleteGroupRow,
  findOptionalGroup,
  insertGroup,
  listMembers,
  lockGroup,
  lockPeople,
  readMakers,
  removeMembersBut,
  saveLeaders,
  updateGroupName,
} from './groups.sql.ts'
import { findGroup, toGroup, type WantedGroup } from './read-groups.ts'

/** Its maker is in it and leads it. Throws `forbidden` where only admins make groups, and `conflict` for a name that is taken. */
export function createGroup(
  ctx: Context,
  { user, name, ...people }: CreateGroupRequest & { user: User },
): Promise<Group> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    if (!canMakeGroups(user, await readMakers(db))) {
      throw new AppError('forbidden', 'Only administrators can create groups here')
    }
    const leaders = await idsOf(ctx, { usernames: people.leaders, path: 'leaders' })
    const members = await idsOf(ctx, { usernames: people.members, path: 'members' })
    const groupId = await insertGroup(db, { name, madeBy: user.id })
    if (groupId === undefined) throw await nameTaken(ctx, { name, user })
    const leaderIds = atMostLeaders([user.id, ...leaders])
    const userIds = atMostMembers([...leaderIds, ...members], 'members')
    await addMembers(db, { groupId, userIds })
    await saveLeaders(db, { groupId, userIds: leaderIds })
    const after = { leaders: leaderIds, members: userIds }
    await recordActivity(ctx, { kind: 'group.created', object: 'group', id: groupId, after })
    return toGroup(await findGroup(ctx, { id: groupId, user }), user)
  })
}

/** Throws `conflict` for a name that another group has. */
export function updateGroup(
  ctx: Context,
  { id, user, name, leaders }: UpdateGroupRequest & WantedGroup,
): Promise<Group> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await openGroup(ctx, { id, user })
    if (name !== undefined && !(await updateGroupName(db, { id, name }))) {
      throw await nameTaken(ctx, { name, user })
    }
    const ofLeaders = leaders === undefined ? {} : await changeLeaders(ctx, { id, leaders })
    await recordActivity(ctx, { kind: 'group.changed', object: 'group', id, ...ofLeaders })
    return savedGroup(ctx, { id, user })
  })
}

/** Returns who led it before, and who leads it now. */
async function changeLeaders(
  ctx: Context<Transaction>,
  { id, leaders }: { id: number; leaders: string[] },
): Promise<Record<'before' | 'after', { leaders: number[] }>> {
  const { db } = ctx
  const userIds = atMostLeaders(await idsOf(ctx, { usernames: leaders, path: 'leaders' }))
  const before = await listMembers(db, id)
  atMostMembers([...idsIn(before), ...userIds], 'leaders')
  await addMembers(db, { groupId: id, userIds })
  await saveLeaders(db, { groupId: id, userIds })
  const led = before.filter(({ isLeader }) => isLeader)
  return { before: { leaders: idsIn(led) }, after: { leaders: userIds } }
}

/** The whole new list: who is not in it loses at once what was shared with the group alone. */
export function saveMembers(
  ctx: Context,
  { id, user, usernames }: WantedGroup & { usernames: string[] },
): Promise<Group> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await openGroup(ctx, { id, user })
    const userIds = atMostMembers(await idsOf(ctx, { usernames, path: 'usernames' }), 'usernames')
    const before = idsIn(await listMembers(db, id))
    const left = before.filter((member) => !userIds.includes(member))
    await lockPeople(db, left)
    await removeMembersBut(db, { groupId: id, userIds })
    await addMembers(db, { groupId: id, userIds })
    await endLostOf(ctx, left)
    const added = userIds.filter((member) => !before.includes(member))
    await recordActivity(ctx, {
      kind: 'group.members_changed',
      object: 'group',
      id,
      after: { added, removed: left },
    })
    return savedGroup(ctx, { id, user })
  })
}

export function deleteGroup(ctx: Context, { id, user }: WantedGroup): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await openGroup(ctx, { id, user })
    const left = idsIn(await listMembers(db, id))
    await lockPeople(db, left)
    await deleteGroupRow(db, id)
    await endLostOf(ctx, left)
    await recordActivity(ctx, { kind: 'group.deleted', object: 'group', id, before: { members: left } })
  })
}

/** Locks the group; throws unless the person may change it. */
async function openGroup(ctx: Context<Transaction>, wanted: WantedGroup): Promise<void> {
  await lockGroup(ctx.db, wanted.id)
  const found = await findGroup(ctx, wanted)
  if (!canEditGroup(wanted.user, found)) {
    throw new AppError('forbidden', 'Only its leaders and administrators can change this group')
  }
}

/** As its changer sees it, who may have left it by this change. */
async function savedGroup({ db }: Context<Transaction>, { id, user }: WantedGroup): Promise<Group> {
  const saved = await findOptionalGroup(db, { id, userId: user.id })
  if (saved === undefined) throw new Error(`There is no group ${id}`)
  return toGroup(saved, user)
}

async function endLostOf({ db }: Context<Transaction>, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  await endLostAcceptances(db, { kind: 'prompt', userIds })
  await endLostAcceptances(db, { kind: 'chain', userIds })
}

async function nameTaken(
  { db }: Context<Transaction>,
  { name, user }: { name: string; user: User },
): Promise<AppError> {
  const found = await findOptionalGroup(db, { name, userId: user.id })
  const isSeen = found !== undefined && canSeeGroup(user, found)
  return new AppError('conflict', 'Group exists', isSeen ? { details: toGroup(found, user) } : {})
}

const idsIn = (people: { id: number }[]): number[] => people.map(({ id }) => id)

async function idsOf(
  ctx: Context<Transaction>,
  { usernames, path }: { usernames: string[]; path: string },
): Promise<number[]> {
  const people = await listByUsernames(ctx, usernames)
  const known = new Set(people.map(({ username }) => username.toLowerCase()))
  const unknown = usernames.filter((username) => !known.has(username.toLowerCase()))
  if (unknown.length > 0) throw fieldError(path, `There is no account named ${unknown.join(', ')}`)
  return idsIn(people)
}

function atMostMembers(ids: number[], path: string): number[] {
  const once = [...new Set(ids)]
  if (once.length <= GROUP_MEMBERS_MAX) return once
  throw fieldError(path, `A group has at most ${GROUP_MEMBERS_MAX.toLocaleString('en')} members`)
}

function atMostLeaders(ids: number[]): number[] {
  const once = [...new Set(ids)]
  if (once.length <= GROUP_LEADERS_MAX) return once
  throw fieldError('leaders', `A group has at most ${GROUP_LEADERS_MAX} leaders`)
}
