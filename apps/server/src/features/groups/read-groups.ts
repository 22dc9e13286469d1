import { GROUP_SHARES_LISTED, type Group, type GroupDetails, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { canEditGroup, canSeeGroup, isBuiltIn } from './groups.policy.ts'
import {
  countGroups,
  findOptionalGroup,
  type GroupRow,
  listGroupRows,
  listGroupShares,
} from './groups.sql.ts'

const CURSOR = defineCursor({ list: 'groups', position: cursorPosition.id })

export interface WantedGroup {
  id: number
  user: User
}

/** Oldest first, so everyone's before all others. Throws `invalid` for a foreign cursor. */
export async function listGroups(
  { db }: SqlContext,
  { user, query: { limit, cursor } }: ListRequest<{ user: User }>,
): Promise<ListPage<Group>> {
  const after = CURSOR.read(cursor)
  const listed = { userId: user.id, includesAll: user.role === 'admin' }
  return toPage({
    rows: await listGroupRows(db, { ...listed, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countGroups(db, listed) },
    toItem: (row) => toGroup(row, user),
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

/** Throws `not_found` for a group that the person does not see. */
export async function findGroup({ db }: SqlContext, { id, user }: WantedGroup): Promise<GroupRow> {
  const found = await findOptionalGroup(db, { id, userId: user.id })
  if (found === undefined || !canSeeGroup(user, found)) throw new AppError('not_found', 'Group not found')
  return found
}

export async function readGroup(ctx: SqlContext, { id, user }: WantedGroup): Promise<GroupDetails> {
  const found = await findGroup(ctx, { id, user })
  const wanted = { groupId: id, viewerId: user.id, limit: GROUP_SHARES_LISTED }
  const { shares, total } = await listGroupShares(ctx.db, wanted)
  const hiddenShares = user.role === 'admin' ? found.shareCount - total : null
  return { ...toGroup(found, user), shares, hiddenShares }
}

export function toGroup({ isMember, isLeader, ...row }: GroupRow, user: User): Group {
  const canEdit = canEditGroup(user, { id: row.id, isMember, isLeader })
  return { ...row, isBuiltIn: isBuiltIn(row), canEdit }
}
