import {
  type AddressState,
  type Administrators,
  type FoundUser,
  type ListQuery,
  type ManagedUser,
  NAMED_ADMINS_MAX,
  type UpdateUserRequest,
  type User,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, onePerApp, type SqlContext, transaction } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { describeAddresses } from '../mails/mails.ts'
import { isActiveAdmin, isDisabled, toRole } from './accounts.policy.ts'
import { lockAccounts } from './accounts.sql.ts'
import { deleteSessionsOf } from './own-account.sql.ts'
import {
  countUsers,
  findOptionalUser,
  listAdmins,
  listPeopleNamed,
  listUserRows,
  listUsersByUsername,
  updateUserRow,
} from './people.sql.ts'

const CURSOR = defineCursor({ list: 'accounts', position: cursorPosition.id })

interface Wanted {
  id: number
  user: User
}

const FOUND_MAX = 10

/** People whose username begins so, without regard to case; disabled accounts are left out. */
export function searchPeople({ db }: Context, { query }: { query: { name: string } }): Promise<FoundUser[]> {
  return listPeopleNamed(db, { start: query.name, limit: FOUND_MAX })
}

/** The others: nobody is told to ask themselves. */
export async function nameAdministrators(ctx: SqlContext, { user }: { user: User }): Promise<Administrators> {
  const others = (await listActiveAdmins(ctx)).filter(({ id }) => id !== user.id)
  const names = others.toSorted((a, b) => a.id - b.id).map(({ username }) => username)
  return {
    names: names.slice(0, NAMED_ADMINS_MAX),
    others: Math.max(0, names.length - NAMED_ADMINS_MAX),
  }
}

export async function listByUsernames({ db }: SqlContext, usernames: string[]): Promise<FoundUser[]> {
  return usernames.length === 0 ? [] : listUsersByUsername(db, usernames)
}

export async function listUsers(
  ctx: Context,
  { query: { limit, cursor } }: { query: ListQuery },
): Promise<ListPage<ManagedUser>> {
  const { db } = ctx
  const after = CURSOR.read(cursor)
  const rows = await listUserRows(db, { after, limit: limit + 1 })
  const addresses = await describeOwnAddresses(ctx, rows)
  return toPage({
    rows,
    limit,
    total: after ? undefined : { count: await countUsers(db) },
    toItem: (row) => toManagedUser(row, addresses),
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

const disabledListeners = onePerApp((): ((userId: number) => Promise<void>)[] => [])

export function onDisabled(ctx: Context, listener: (userId: number) => Promise<void>): void {
  disabledListeners(ctx).push(listener)
}

/** Throws `conflict` if no active admin would be left or admins disable themselves, `forbidden` for a former admin. */
export async function updateUser(
  ctx: Context,
  { id, user: actor, role, disabled }: UpdateUserRequest & Wanted,
): Promise<ManagedUser> {
  const updated = await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockAccounts(db)
    const isActor = (admin: { id: number }) => admin.id === actor.id
    if (!(await listActiveAdmins(ctx)).some(isActor)) {
      throw new AppError('forbidden', 'Only an administrator may do this')
    }
    const before = await findManagedUser(ctx, id)
    if (disabled === true && id === actor.id) {
      throw new AppError('conflict', 'You can’t disable your own account')
    }
    await updateUserRow(db, { id, role, disabled })
    if ((await listActiveAdmins(ctx)).length === 0) {
      throw new AppError('conflict', 'The last active admin can’t be demoted or disabled')
    }
    if (disabled === true) await deleteSessionsOf(db, { userId: id })
    const after = await findManagedUser(ctx, id)
    for (const act of changesOf({ before, after })) {
      await recordActivity(ctx, { ...act, object: 'account', id })
    }
    return after
  })
  if (disabled === true) await Promise.all(disabledListeners(ctx).map((listener) => listener(id)))
  return updated
}

async function findManagedUser(ctx: Context, id: number): Promise<ManagedUser> {
  const row = await findOptionalUser(ctx.db, id)
  if (row === undefined) throw new AppError('not_found', 'This account does not exist')
  return toManagedUser(row, await describeOwnAddresses(ctx, [row]))
}

function describeOwnAddresses(ctx: Context, rows: UserRow[]) {
  return describeAddresses(
    ctx,
    rows.map(({ id, email, role }) => ({ id, email, role: toRole(role) })),
  )
}

export async function listActiveAdmins({ db }: SqlContext): Promise<User[]> {
  const admins = (await listAdmins(db)).filter(isActiveAdmin)
  return admins.map(({ id, username, email, role }) => ({ id, username, email, role: toRole(role) }))
}

function changesOf({ before, after }: { before: ManagedUser; after: ManagedUser }) {
  const ofRole = {
    kind: 'account.role_changed',
    before: { role: before.role },
    after: { role: after.role },
  } as const
  const ofAccess = { kind: after.disabled ? 'account.disabled' : 'account.enabled' } as const
  return [
    ...(before.role === after.role ? [] : [ofRole]),
    ...(before.disabled === after.disabled ? [] : [ofAccess]),
  ]
}

type UserRow = Awaited<ReturnType<typeof listUserRows>>[number]

function toManagedUser(row: UserRow, addresses: Map<number, AddressState | null>): ManagedUser {
  const { id, username, email, role, usage, createdAt, lastSeenAt } = row
  return {
    id,
    username,
    email,
    addressState: addresses.get(id) ?? null,
    role: toRole(role),
    disabled: isDisabled(row),
    usage,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }
}
