import {
  type AccountSession,
  type AccountSettings,
  accountSettings,
  type ChangePasswordRequest,
  notificationsWith,
  type UpdateAccountRequest,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { claimAttempt } from './attempt-limits.ts'
import { auth, type Client } from './better-auth.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import {
  countSessions,
  deleteSession,
  deleteSessionsOf,
  findOptionalPasswordHash,
  findOptionalSettings,
  listSessions,
  updatePasswordHash,
  updateSettings,
} from './own-account.sql.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'sessions', position: z.strictObject({ key, id }) })
/** After the session of the call come all others. */
const LAST_TIME = '9999-12-31T23:59:59.999Z'

interface Caller {
  user: User
  client: Pick<Client, 'headers'>
}

export async function findSettings({ db }: Context, { user }: { user: User }): Promise<AccountSettings> {
  return toSettings(await findOptionalSettings(db, user.id))
}

export function changeSettings(
  ctx: Context,
  { body, user: { id } }: { body: UpdateAccountRequest; user: User },
): Promise<AccountSettings> {
  return transaction(ctx, async (ctx) => {
    const before = await findOptionalSettings(ctx.db, id)
    const { notifications: changed, ...fields } = body
    const notifications = changed && notificationsWith(before?.notifications ?? {}, changed)
    const change = { ...fields, ...(notifications && { notifications }) }
    const after = toSettings(await updateSettings(ctx.db, { ...change, userId: id }))
    await recordActivity(ctx, { kind: 'account.changed', object: 'account', id, before, after })
    return after
  })
}

/** Ends all other sessions (D11). A wrong current password counts as a failed sign-in. */
export async function changePassword(
  ctx: Context,
  {
    body: { currentPassword, newPassword },
    user,
    client,
  }: { body: ChangePasswordRequest; user: User; client: Client },
): Promise<void> {
  const { hashPassword, withHashingPermit } = auth(ctx)
  const exceptToken = await requireToken(ctx, client)
  refuseCommonPassword({ password: newPassword, path: 'newPassword' })
  const userId = user.id
  const { from, to } = await withHashingPermit(`person ${userId}`, async () => ({
    from: await confirmPassword(ctx, { user, client, password: currentPassword }),
    to: await hashPassword(newPassword),
  }))
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    if (!(await updatePasswordHash(db, { userId, from, to }))) {
      throw new AppError('conflict', 'The password was changed in the meantime. Log in again.')
    }
    await deleteSessionsOf(db, { userId, exceptToken })
    await recordActivity(ctx, { kind: 'account.password_changed', object: 'account', id: userId })
  })
}

/** The stored hash, when the password is right; limited as sign-ins are, and counted with them. */
async function confirmPassword(
  ctx: Context,
  { user, client, password }: { user: User; client: Client; password: string },
): Promise<string> {
  const attempt = await claimAttempt(ctx, {
    kind: 'sign-in',
    username: user.username,
    address: client.address,
    isSignedIn: true,
  })
  const hash = await findOptionalPasswordHash(ctx.db, user.id)
  const isRight =
    hash !== undefined &&
    (await auth(ctx)
      .verifyPassword({ hash, password })
      .catch(async (error: unknown) => {
        await attempt.withdraw()
        throw error
      }))
  if (!isRight) throw fieldError('currentPassword', 'The current password is wrong')
  await attempt.forgetAll()
  return hash
}

/** The session of the call first, then the latest. Throws `invalid` for a foreign cursor. */
export async function listOwnSessions(
  ctx: Context,
  { user, client, query }: ListRequest<Caller>,
): Promise<ListPage<AccountSession>> {
  const { db, now } = ctx
  const { limit, cursor } = query
  const after = CURSOR.read(cursor)
  const of = { userId: user.id, token: await requireToken(ctx, client), now: now() }
  return toPage({
    rows: await listSessions(db, { ...of, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countSessions(db, of) },
    toItem: ({ createdAt, lastUsedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    }),
    cursorOf: ({ current, lastUsedAt, id }) =>
      CURSOR.write({ key: current ? LAST_TIME : lastUsedAt.toISOString(), id }),
  })
}

export function endSession(ctx: Context, { user, id }: { user: User; id: number }): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteSession(ctx.db, { userId: user.id, id }))) {
      throw new AppError('not_found', 'This session does not exist')
    }
    await recordActivity(ctx, { kind: 'account.session_ended', object: 'account', id: user.id })
  })
}

export async function endOtherSessions(ctx: Context, { user, client }: Caller): Promise<void> {
  const exceptToken = await requireToken(ctx, client)
  await transaction(ctx, async (ctx) => {
    await deleteSessionsOf(ctx.db, { userId: user.id, exceptToken })
    await recordActivity(ctx, { kind: 'account.sessions_ended', object: 'account', id: user.id })
  })
}

async function requireToken(ctx: Context, { headers }: Pick<Client, 'headers'>): Promise<string> {
  const token = await auth(ctx).readSessionToken(headers)
  if (token === undefined) throw accountGone()
  return token
}

type SettingsRow = Awaited<ReturnType<typeof findOptionalSettings>>

function toSettings(row: SettingsRow): AccountSettings {
  if (row === undefined) throw accountGone()
  return accountSettings.parse({ ...row, notifications: notificationsWith(row.notifications) })
}

function accountGone(): AppError {
  return new AppError('unauthenticated', 'Please log in')
}
