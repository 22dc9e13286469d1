import {
  type Instance,
  type LoginRequest,
  type RegisterRequest,
  SESSIONS_MAX,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import type { Context } from '../../platform/context.ts'
import { askAddresses } from '../mails/mails.ts'
import type { Auth, Client, Signed } from './accounts.auth.ts'
import { isDisabled, toRole } from './accounts.policy.ts'
import {
  createAccount,
  deleteExpired,
  existsAccount,
  existsUsername,
  lockAccounts,
  prepareFindSessionUser,
} from './accounts.repository.ts'
import { createAttemptLimits } from './attempt-limits.service.ts'
import { toClientNetwork } from './client-network.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { accountTaken, createAdmin } from './operator.service.ts'
import { deleteReplacedSessions } from './own-account.repository.ts'

const SESSIONS_KEPT = 10_000

export interface AccountsOptions {
  db: Database
  auth: Auth
  rowChanges: RowChanges
  registration: 'open' | 'closed'
  ctx: Context
  now: () => Date
}

type Credentials = LoginRequest & { client: Client }
type NewAccount = RegisterRequest & { client: Client }

export type AccountsService = ReturnType<typeof createAccountsService>

/** Signing up, in and out, and whose session a call has. */
export function createAccountsService({ db, auth, rowChanges, registration, ctx, now }: AccountsOptions) {
  const findSessionUser = readThroughCache({
    rowChanges,
    load: prepareFindSessionUser(db),
    rowsOf: ({ id, sessionId }) => [`users:${id}`, `sessions:${sessionId}`],
    capacity: SESSIONS_KEPT,
  })
  const limits = createAttemptLimits({ db, now })

  /** Ends the browser's earlier session, and one more of the person's when there are too many. */
  async function startSession(credentials: Credentials): Promise<Signed> {
    const earlierToken = await auth.readSessionToken(credentials.client.headers)
    const signedIn = await auth.signIn(credentials)
    await deleteReplacedSessions(db, { userId: signedIn.user.id, earlierToken, kept: SESSIONS_MAX })
    return signedIn
  }

  async function tryToSignIn({ client, ...credentials }: Credentials): Promise<Signed> {
    const { username } = credentials
    const attempt = await limits.claim({ kind: 'sign-in', username, address: client.address })
    try {
      const signedIn = await startSession({ ...credentials, client })
      await attempt.forgetAll()
      return signedIn
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) await attempt.withdraw()
      throw error
    }
  }

  async function createAndSignIn({ client, ...account }: NewAccount): Promise<Signed> {
    await limits.claim({ kind: 'registration', username: '', address: client.address })
    const passwordHash = await auth.hashPassword(account.password)
    await addAccount({ ctx, db, registration }, { ...account, passwordHash })
    return startSession({ username: account.username, password: account.password, client })
  }

  let hasAccount = false
  return {
    /** Who can create an account now: the first person always can, even with REGISTRATION=closed. Accounts are never deleted. */
    async registrationNow(): Promise<Instance['registration']> {
      hasAccount ||= await existsAccount(db)
      return hasAccount ? registration : 'first'
    },

    /** Who the session cookie belongs to; null for guests and disabled accounts. */
    async findUser(headers: Headers): Promise<User | null> {
      const token = await auth.readSessionToken(headers)
      if (token === undefined) return null
      const found = await findSessionUser(token)
      if (found === undefined || found.expiresAt <= new Date() || isDisabled(found)) return null
      const { id, username, email, role } = found
      return { id, username, email, role: toRole(role) }
    },

    /** Whether the headers hold a session token that was signed here; it may have ended. */
    hasSession: async (headers: Headers): Promise<boolean> =>
      (await auth.readSessionToken(headers)) !== undefined,

    /** As `findUser`, and keeps a session in use from ending. */
    currentUser: (headers: Headers): Promise<Signed<User | null>> => auth.renewSession(headers),

    /**
     * Throws `unauthenticated`, `forbidden` for a disabled account, `too_many` after repeated failures, or
     * `unavailable` when too many sign in at the same moment.
     */
    signIn: (credentials: Credentials): Promise<Signed> =>
      auth.withHashingPermit(toClientNetwork(credentials.client.address), () => tryToSignIn(credentials)),

    /** Ends the session, if there is one; the result is the `Set-Cookie` values. */
    signOut: (headers: Headers): Promise<string[]> => auth.signOut(headers),

    /**
     * Creates an account and signs it in; the first on an empty instance is admin (D10).
     * With REGISTRATION=closed only that first one, when no ADMIN_* made an account at the start.
     */
    async register(account: NewAccount): Promise<Signed> {
      if (registration === 'closed' && (await existsAccount(db))) throw registrationClosed()
      refuseCommonPassword({ password: account.password, path: 'password' })
      return auth.withHashingPermit(toClientNetwork(account.client.address), () => createAndSignIn(account))
    },

    /** Makes the admin of the settings unless an account of that name exists. */
    async ensureAdmin(account: RegisterRequest): Promise<void> {
      if (await existsUsername(db, account.username)) return
      // Another process may make it meanwhile.
      await createAdmin({ db, ...account, ifMissing: true })
    },

    /** Deletes ended sessions and verifications and attempts that no longer count; how many rows. */
    async deleteExpiredSessions(): Promise<number> {
      return deleteExpired(db, { now: now(), attemptsSince: limits.oldestThatCounts() })
    },
  }
}

/** Throws `conflict` when the name or the address is taken, and `forbidden` when registration is closed. */
function addAccount(
  { ctx, db, registration }: Pick<AccountsOptions, 'ctx' | 'db' | 'registration'>,
  account: RegisterRequest & { passwordHash: string },
): Promise<void> {
  const { username, email, passwordHash } = account
  return db.transaction(async (transaction) => {
    await lockAccounts(transaction)
    const isFirst = !(await existsAccount(transaction))
    if (registration === 'closed' && !isFirst) throw registrationClosed()
    const role = isFirst ? 'admin' : 'user'
    const id = await createAccount(transaction, { username, email, role, passwordHash })
    if (id === undefined) throw await accountTaken(transaction, username)
    await askAddresses(
      { ...ctx, db: transaction },
      { account: { id, username, email, role }, addresses: [email] },
    )
  })
}

function registrationClosed(): AppError {
  return new AppError('forbidden', 'Registration is closed. Please ask an administrator for an account.')
}
