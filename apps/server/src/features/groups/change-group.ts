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
import { endLostAcceptances } from '../records/records.ts'
import { canEditGroup, canMakeGroups, canSeeGroup } from './groups.policy.ts'
import {
  addMembers,
  deleteGroupRow,
  findOptionalGroup,
  insertGroup,
  insertGroupEvent,
  listMemberIds,
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
    await insertGroupEvent(db, { groupId, actorId: user.id, action: 'group.created' })
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
    if (leaders !== undefined) {
      const userIds = atMostLeaders(await idsOf(ctx, { usernames: leaders, path: 'leaders' }))
      const members = await listMemberIds(db, id)
      atMostMembers([...members, ...userIds], 'leaders')
      await addMembers(db, { groupId: id, userIds })
      await saveLeaders(db, { groupId: id, userIds })
    }
    const fields = [...(name === undefined ? [] : ['name']), ...(leaders === undefined ? [] : ['leaders'])]
    await insertGroupEvent(db, {
      groupId: id,
      actorId: user.id,
      action: 'group.changed',
      details: { fields },
    })
    return savedGroup(ctx, { id, user })
  })
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
    const before = await listMemberIds(db, id)
    const left = before.filter((member) => !userIds.includes(member))
    await lockPeople(db, left)
    await removeMembersBut(db, { groupId: id, userIds })
    await addMembers(db, { groupId: id, userIds })
    await endLostOf(ctx, left)
    const details = { added: userIds.filter((member) => !before.includes(member)), removed: left }
    const action = 'group.members_changed'
    await insertGroupEvent(db, { groupId: id, actorId: user.id, action, details })
    return savedGroup(ctx, { id, user })
  })
}

export function deleteGroup(ctx: Context, { id, user }: WantedGroup): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await openGroup(ctx, { id, user })
    const left = await listMemberIds(db, id)
    await lockPeople(db, left)
    await deleteGroupRow(db, id)
    await endLostOf(ctx, left)
    await insertGroupEvent(db, { groupId: id, actorId: user.id, action: 'group.deleted' })
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

async function idsOf(
  ctx: Context<Transaction>,
  { usernames, path }: { usernames: string[]; path: string },
): Promise<number[]> {
  const people = await listByUsernames(ctx, usernames)
  const known = new Set(people.map(({ username }) => username.toLowerCase()))
  const unknown = usernames.filter((username) => !known.has(username.toLowerCase()))
  if (unknown.length > 0) throw fieldError(path, `There is no account named ${unknown.join(', ')}`)
  return people.map(({ id }) => id)
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
