import {
  type AccountSession,
  type AccountSettings,
  accountSettings,
  type ChangePasswordRequest,
  type UpdateAccountRequest,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import type { Auth, Client } from './accounts.auth.ts'
import { createAccountEvent } from './accounts.repository.ts'
import { createAttemptLimits } from './attempt-limits.service.ts'
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
} from './own-account.repository.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'sessions', position: z.strictObject({ key, id }) })
/** After the session of the call come all others. */
const LAST_TIME = '9999-12-31T23:59:59.999Z'

export type OwnAccountService = ReturnType<typeof createOwnAccountService>

export interface OwnAccountDeps {
  db: Database
  auth: Pick<Auth, 'hashPassword' | 'verifyPassword' | 'withHashingPermit' | 'readSessionToken'>
  now: () => Date
}

interface Confirmation {
  user: User
  client: Client
  password: string
}

/** What people do to their own account: settings, password, sessions (D13). */
export function createOwnAccountService({ db, auth, now }: OwnAccountDeps) {
  const limits = createAttemptLimits({ db, now })

  async function requireToken(headers: Headers): Promise<string> {
    const token = await auth.readSessionToken(headers)
    if (token === undefined) throw accountGone()
    return token
  }

  /** The stored hash, when the password is right; limited as sign-ins are, and counted with them. */
  async function confirmPassword({ user, client, password }: Confirmation): Promise<string> {
    const { username } = user
    const attempt = await limits.claim({
      kind: 'sign-in',
      username,
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
    if (!isRight) {
      throw fieldError('currentPassword', 'The current password is wrong')
    }
    await attempt.forgetAll()
    return hash
  }

  return {
    async settings(user: User): Promise<AccountSettings> {
      return toSettings(await findOptionalSettings(db, user.id))
    },

    /** Fields that are left out stay as they are. */
    async updateSettings({
      user,
      ...change
    }: UpdateAccountRequest & { user: User }): Promise<AccountSettings> {
      return toSettings(await updateSettings(db, { ...change, userId: user.id }))
    },

    /** Ends all other sessions (D11). A wrong current password counts as a failed sign-in. */
    async changePassword({
      user,
      client,
      currentPassword,
      newPassword,
    }: ChangePasswordRequest & { user: User; client: Client }): Promise<void> {
      const exceptToken = await requireToken(client.headers)
      refuseCommonPassword({ password: newPassword, path: 'newPassword' })
      const userId = user.id
      const { from, to } = await auth.withHashingPermit(`person ${userId}`, async () => ({
        from: await confirmPassword({ user, client, password: currentPassword }),
        to: await auth.hashPassword(newPassword),
      }))
      await db.transaction(async (transaction) => {
        if (!(await updatePasswordHash(transaction, { userId, from, to }))) {
          throw new AppError('conflict', 'The password was changed meanwhile')
        }
        await deleteSessionsOf(transaction, { userId, exceptToken })
        await createAccountEvent(transaction, {
          actorId: userId,
          userId,
          action: 'account.password_changed',
        })
      })
    },

    /** The session of the call first, then the latest. Throws `invalid` for a foreign cursor. */
    async listSessions({
      user,
      headers,
      query,
    }: ListRequest<{ user: User; headers: Headers }>): Promise<ListPage<AccountSession>> {
      const { limit, cursor } = query
      const after = CURSOR.read(cursor)
      const of = { userId: user.id, token: await requireToken(headers), now: now() }
      const rows = await listSessions(db, { ...of, after, limit: limit + 1 })
      return toPage({
        rows,
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
    },

    /** Ends one of the person's own sessions; throws `not_found` for any other. */
    async endSession({ user, id }: { user: User; id: number }): Promise<void> {
      if (!(await deleteSession(db, { userId: user.id, id }))) {
        throw new AppError('not_found', 'This session does not exist')
      }
    },

    /** Signs the person out everywhere but here. */
    async endOtherSessions({ user, headers }: { user: User; headers: Headers }): Promise<void> {
      const exceptToken = await requireToken(headers)
      await db.transaction(async (transaction) => {
        await deleteSessionsOf(transaction, { userId: user.id, exceptToken })
        const event = { actorId: user.id, userId: user.id, action: 'account.sessions_ended' }
        await createAccountEvent(transaction, event)
      })
    },
  }
}

function toSettings(row: { theme: string; timeZone: string | null } | undefined): AccountSettings {
  if (row === undefined) throw accountGone()
  return accountSettings.parse(row)
}

function accountGone(): AppError {
  return new AppError('unauthenticated', 'Please log in')
}
