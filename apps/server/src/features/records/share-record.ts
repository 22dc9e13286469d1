import { nameKey, type SaveSharesRequest, type Share, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { listByUsernames } from '../accounts/accounts.ts'
import { recordActivity } from '../activity/activity.ts'
import { findRecord, openRecord } from './find-record.ts'
import { endLostAcceptances } from './offers.sql.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { touchRecord } from './records.sql.ts'
import {
  listGroupIds,
  listSharedGroupIds,
  listShareRows,
  lockGroupsNamed,
  replaceShares,
  type SharesToKeep,
} from './shares.sql.ts'

const PEOPLE_KEPT = 10_000

const ownGroups = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    load: async (id: number) => ({ id, groupIds: await listGroupIds(db, id) }),
    rowsOf: ({ id }) => [`users:${id}`],
    capacity: PEOPLE_KEPT,
  }),
)

/** The groups that a person is in, in one order. A guest is in none. */
export async function groupIdsOf(ctx: Context, user: Pick<User, 'id'> | null): Promise<readonly number[]> {
  return user === null ? [] : (await ownGroups(ctx)(user.id)).groupIds
}

interface Wanted extends RecordKey {
  user: User
}

export async function listShares(ctx: Context, { kind, id, user }: Wanted): Promise<Share[]> {
  const { canEdit } = await findRecord(ctx, { kind, id, user })
  if (!canEdit) throw new AppError('forbidden', `You can’t see whom this ${kind} is shared with`)
  return listShareRows(ctx.db, { kind, id })
}

/** The whole new list: who is not in it loses access at once. */
export function saveShares(
  ctx: Context,
  { kind, id, user, shares }: Wanted & { shares: SaveSharesRequest },
): Promise<Share[]> {
  return transaction(ctx, async (ctx) => {
    const { owner, canShare } = await openRecord(ctx, { kind, id, user })
    if (!canShare) throw new AppError('forbidden', `Only the owner may change who sees this ${kind}`)
    const people = await toPeople(ctx, { owner, shares })
    const withGroups = await toGroups(ctx, { kind, id, user, shares })
    await replaceShares(ctx.db, { kind, id, people, withGroups })
    await endLostAcceptances(ctx.db, { kind, id })
    await touchRecord(ctx.db, { kind, id })
    const after = { people, groups: withGroups }
    await recordActivity(ctx, { kind: `${kind}.shares_changed`, object: kind, id, after })
    return listShareRows(ctx.db, { kind, id })
  })
}

async function toPeople(
  ctx: Context<Transaction>,
  { owner, shares }: { owner: string; shares: SaveSharesRequest },
): Promise<SharesToKeep['people']> {
  const named = shares.flatMap(({ username, role }) => (username === undefined ? [] : { username, role }))
  const roles = new Map(named.map(({ username, role }) => [username.toLowerCase(), role]))
  if (roles.size < named.length) throw fieldError('shares', 'List each person once')
  if (roles.has(owner.toLowerCase())) throw fieldError('shares', 'The owner already has access')
  const people = await listByUsernames(ctx, [...roles.keys()])
  const known = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]))
  const unknown = named.flatMap(({ username }) => (known.has(username.toLowerCase()) ? [] : [username]))
  if (unknown.length > 0) throw fieldError('shares', `There is no account named ${unknown.join(', ')}`)
  return [...roles].map(([username, role]) => ({ userId: known.get(username) ?? 0, role }))
}

/** A group that the person doesn't see is as good as none; one that the list has already may stay there. */
async function toGroups(
  { db }: Context<Transaction>,
  { kind, id, user, shares }: Wanted & { shares: SaveSharesRequest },
): Promise<SharesToKeep['withGroups']> {
  const named = shares.flatMap(({ group, role }) => (group === undefined ? [] : { group, role }))
  if (named.length === 0) return []
  const roles = new Map(named.map(({ group, role }) => [nameKey(group), role]))
  if (roles.size < named.length) throw fieldError('shares', 'List each group once')
  const found = await lockGroupsNamed(
    db,
    named.map(({ group }) => group),
  )
  const open = new Set([
    ...(await listGroupIds(db, user.id)),
    ...(await listSharedGroupIds(db, { kind, id })),
  ])
  const known = new Map(
    found.filter((group) => user.role === 'admin' || open.has(group.id)).map((one) => [one.nameKey, one.id]),
  )
  const unknown = named.flatMap(({ group }) => (known.has(nameKey(group)) ? [] : [group]))
  if (unknown.length > 0) throw fieldError('shares', `There is no group named ${unknown.join(', ')}`)
  return [...roles].map(([key, role]) => ({ groupId: known.get(key) ?? 0, role }))
}
