import {
  type AccountSession,
  type AccountSettings,
  accountSettings,
  type ChangePasswordRequest,
  type UpdateAccountRequest,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Database } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../../list-page.ts'
import type { Auth, Client } from '../accounts.auth.ts'
import { createAccountEvent } from '../accounts.repository.ts'
import { createAttemptLimits } from '../attempt-limits.service.ts'
import { refuseCommonPassword } from '../common-passwords.ts'
import {
  countSessions,
  deleteSession,
  deleteSessionsOf,
  findOptionalPasswordHash,
  findOptionalSettings,
  listSessions,
  updatePasswordHash,
  updateSettings,
} from '../own-account.repository.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'sessions', position: z.strictObject({ key, id }) })
/** After the session of the call come all others. */
const LAST_TIME = '9999-12-31T23:59:59.999Z'

/** What the operations on a person's own account work with. */
export interface OwnAccountDeps {
  db: Database
  auth: Pick<Auth, 'hashPassword' | 'verifyPassword' | 'withHashingPermit' | 'readSessionToken'>
  now: () => Date
}

interface Caller {
  user: User
  headers: Headers
}

export async function findSettings({ db }: OwnAccountDeps, user: User): Promise<AccountSettings> {
  return toSettings(await findOptionalSettings(db, user.id))
}

/** Fields that are left out stay as they are. */
export async function changeSettings(
  { db }: OwnAccountDeps,
  { user, ...change }: UpdateAccountRequest & { user: User },
): Promise<AccountSettings> {
  return toSettings(await updateSettings(db, { ...change, userId: user.id }))
}

/** Ends all other sessions (D11). A wrong current password counts as a failed sign-in. */
export async function changePassword(
  deps: OwnAccountDeps,
  { user, client, currentPassword, newPassword }: ChangePasswordRequest & { user: User; client: Client },
): Promise<void> {
  const { db, auth } = deps
  const exceptToken = await requireToken(deps, client.headers)
  refuseCommonPassword({ password: newPassword, path: 'newPassword' })
  const userId = user.id
  const { from, to } = await auth.withHashingPermit(`person ${userId}`, async () => ({
    from: await confirmPassword(deps, { user, client, password: currentPassword }),
    to: await auth.hashPassword(newPassword),
  }))
  await db.transaction(async (transaction) => {
    if (!(await updatePasswordHash(transaction, { userId, from, to }))) {
      throw new AppError('conflict', 'The password was changed meanwhile')
    }
    await deleteSessionsOf(transaction, { userId, exceptToken })
    await createAccountEvent(transaction, { actorId: userId, userId, action: 'account.password_changed' })
  })
}

/** The stored hash, when the password is right; limited as sign-ins are, and counted with them. */
async function confirmPassword(
  { db, auth, now }: OwnAccountDeps,
  { user, client, password }: { user: User; client: Client; password: string },
): Promise<string> {
  const attempt = await createAttemptLimits({ db, now }).claim({
    kind: 'sign-in',
    username: user.username,
    address: client.address,
    isSignedIn: true,
  })
  const hash = await findOptionalPasswordHash(db, user.id)
  const isRight =
    hash !== undefined &&
    (await auth.verifyPassword({ hash, password }).catch(async (error: unknown) => {
      await attempt.withdraw()
      throw error
    }))
  if (!isRight) throw fieldError('currentPassword', 'The current password is wrong')
  await attempt.forgetAll()
  return hash
}

/** The session of the call first, then the latest. Throws `invalid` for a foreign cursor. */
export async function listOwnSessions(
  deps: OwnAccountDeps,
  { user, headers, query }: ListRequest<Caller>,
): Promise<ListPage<AccountSession>> {
  const { db, now } = deps
  const { limit, cursor } = query
  const after = CURSOR.read(cursor)
  const of = { userId: user.id, token: await requireToken(deps, headers), now: now() }
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

/** Ends one of the person's own sessions; throws `not_found` for any other. */
export async function endSession(
  { db }: OwnAccountDeps,
  { user, id }: { user: User; id: number },
): Promise<void> {
  if (!(await deleteSession(db, { userId: user.id, id }))) {
    throw new AppError('not_found', 'This session does not exist')
  }
}

/** Signs the person out everywhere but here. */
export async function endOtherSessions(deps: OwnAccountDeps, { user, headers }: Caller): Promise<void> {
  const exceptToken = await requireToken(deps, headers)
  await deps.db.transaction(async (transaction) => {
    await deleteSessionsOf(transaction, { userId: user.id, exceptToken })
    const event = { actorId: user.id, userId: user.id, action: 'account.sessions_ended' }
    await createAccountEvent(transaction, event)
  })
}

async function requireToken({ auth }: OwnAccountDeps, headers: Headers): Promise<string> {
  const token = await auth.readSessionToken(headers)
  if (token === undefined) throw accountGone()
  return token
}

function toSettings(row: { theme: string; timeZone: string | null } | undefined): AccountSettings {
  if (row === undefined) throw accountGone()
  return accountSettings.parse(row)
}

function accountGone(): AppError {
  return new AppError('unauthenticated', 'Please log in')
}
