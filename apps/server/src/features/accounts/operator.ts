import type { RegisterRequest } from '@catenary/contracts'
import type { Database } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type ActorContext, OPERATOR, type SqlContext } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { createAccount, existsUsername, findOptionalAccount, lockAccounts } from './accounts.sql.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { deleteSessionsOf, updatePasswordHash } from './own-account.sql.ts'
import { passwordHashing } from './password-hashing.ts'

/** Throws `conflict` for a name or address that is taken, unless `ifMissing`, and `invalid` for a common password. */
export async function createAdmin(
  { db, actor }: ActorContext<Database>,
  { ifMissing = false, ...account }: RegisterRequest & { ifMissing?: boolean },
): Promise<void> {
  const { username, email, password } = account
  refuseCommonPassword({ password, path: 'password' })
  const passwordHash = await passwordHashing.hash(password)
  await db.transaction(async (tx) => {
    await lockAccounts(tx)
    if (ifMissing && (await existsUsername(tx, username))) return
    const id = await createAccount(tx, { username, email, role: 'admin', passwordHash })
    if (id === undefined) throw await accountTaken({ db: tx }, username)
    const after = { role: 'admin' }
    await recordActivity({ db: tx, actor }, { kind: 'account.created', object: 'account', id, after })
  })
}

/** Sets the password of a username or an address and ends all sessions of that account. Throws `not_found`, and `invalid`. */
export async function resetPassword(
  { db }: SqlContext<Database>,
  { account, password }: { account: string; password: string },
): Promise<{ username: string }> {
  refuseCommonPassword({ password, path: 'password' })
  const passwordHash = await passwordHashing.hash(password)
  return db.transaction(async (tx) => {
    const found = await findOptionalAccount(tx, account)
    if (found === undefined) throw new AppError('not_found', `There is no account ${account}.`)
    const { id: userId, username } = found
    if (!(await updatePasswordHash(tx, { userId, to: passwordHash })))
      throw new AppError('conflict', `${username} signs in without a password.`)
    await deleteSessionsOf(tx, { userId })
    const act = { kind: 'account.password_reset', object: 'account', id: userId } as const
    await recordActivity({ db: tx, actor: OPERATOR }, act)
    return { username }
  })
}

export async function accountTaken({ db }: SqlContext, username: string): Promise<AppError> {
  const [path, message] = (await existsUsername(db, username))
    ? ['username', 'This username is already taken']
    : ['email', 'An account with this email address already exists']
  return fieldError(path, message, 'conflict')
}
