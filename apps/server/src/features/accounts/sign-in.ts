import {
  type Instance,
  type LoginRequest,
  type RegisterRequest,
  SESSIONS_MAX,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../database/statements/executor.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { maskTypedName, noteRefusal, recordActivity } from '../activity/activity.ts'
import { askAddresses } from '../mails/mails.ts'
import { isDisabled, toRole } from './accounts.policy.ts'
import {
  createAccount,
  deleteExpired,
  existsAccount,
  existsUsername,
  findOptionalAccount,
  lockAccounts,
  prepareFindSessionUser,
} from './accounts.sql.ts'
import { claimAttempt, oldestThatCounts } from './attempt-limits.ts'
import { auth, type Client, type Signed } from './better-auth.ts'
import { toClientNetwork } from './client-network.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { accountTaken, createAdmin } from './operator.ts'
import { deleteReplacedSessions } from './own-account.sql.ts'

const SESSIONS_KEPT = 10_000

type Credentials = LoginRequest & { client: Client }
type NewAccount = RegisterRequest & { client: Client }

const sessionUsers = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    load: prepareFindSessionUser(db),
    rowsOf: ({ id, sessionId }) => [`users:${id}`, `sessions:${sessionId}`],
    capacity: SESSIONS_KEPT,
  }),
)

export async function findUser(ctx: Context, headers: Headers): Promise<User | null> {
  const token = await readSessionToken(ctx, headers)
  if (token === undefined) return null
  const found = await sessionUsers(ctx)(token)
  if (found === undefined || found.expiresAt <= new Date() || isDisabled(found)) return null
  const { id, username, email, role } = found
  return { id, username, email, role: toRole(role) }
}

export const readSessionToken = (ctx: Context, headers: Headers): Promise<string | undefined> =>
  auth(ctx).readSessionToken(headers)

export const currentUser = (ctx: Context, headers: Headers): Promise<Signed<User | null>> =>
  auth(ctx).renewSession(headers)

/**
 * Throws `unauthenticated`, `forbidden` for a disabled account, `too_many` after repeated failures, or
 * `unavailable` when too many sign in at the same moment.
 */
export function signIn(ctx: Context, credentials: Credentials): Promise<Signed> {
  const network = toClientNetwork(credentials.client.address)
  return auth(ctx)
    .withHashingPermit(network, () => tryToSignIn(ctx, credentials))
    .catch(async (error: unknown) => {
      await noteRefusedSignIn(ctx, credentials, error)
      throw error
    })
}

async function tryToSignIn(ctx: Context, { client, ...credentials }: Credentials): Promise<Signed> {
  const { username } = credentials
  const attempt = await claimAttempt(ctx, { kind: 'sign-in', username, address: client.address })
  try {
    const signedIn = await startSession(ctx, { ...credentials, client })
    await attempt.forgetAll()
    const { id } = signedIn.user
    await transaction(ctx, (ctx) =>
      recordActivity(ctx, { kind: 'account.signed_in', object: 'account', id, personId: id }),
    )
    return signedIn
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unauthenticated')) await attempt.withdraw()
    throw error
  }
}

const REFUSED: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'too_many']

/** What was typed is told of no account alone: of a known one its id says who was meant. */
async function noteRefusedSignIn(ctx: Context, { username }: Credentials, error: unknown): Promise<void> {
  if (!(error instanceof AppError && REFUSED.includes(error.code))) return
  const known = await findOptionalAccount(ctx.db, username)
  const { door, address } = ctx.actor
  noteRefusal(ctx, {
    kind: 'account.signed_in_refused',
    objectType: 'account',
    objectId: known?.id ?? null,
    personId: null,
    ownerId: known?.id ?? null,
    door,
    address,
    after: known ? null : { typedName: maskTypedName(ctx.settings, username) },
  })
}

async function startSession(ctx: Context, credentials: Credentials): Promise<Signed> {
  const earlierToken = await readSessionToken(ctx, credentials.client.headers)
  const signedIn = await auth(ctx).signIn(credentials)
  await deleteReplacedSessions(ctx.db, { userId: signedIn.user.id, earlierToken, kept: SESSIONS_MAX })
  return signedIn
}

export async function signOut(ctx: Context, headers: Headers): Promise<string[]> {
  const user = await findUser(ctx, headers)
  const cookies = await auth(ctx).signOut(headers)
  if (user !== null) {
    const { id } = user
    await transaction(ctx, (ctx) =>
      recordActivity(ctx, { kind: 'account.signed_out', object: 'account', id, personId: id }),
    )
  }
  return cookies
}

/**
 * Creates an account and signs it in; the first on an empty instance is admin (D10).
 * With REGISTRATION=closed only that first one, when no ADMIN_* made an account at the start.
 */
export async function register(ctx: Context, account: NewAccount): Promise<Signed> {
  const { registration } = ctx.settings
  if (registration === 'closed' && (await existsAccount(ctx.db))) throw registrationClosed()
  refuseCommonPassword({ password: account.password, path: 'password' })
  const network = toClientNetwork(account.client.address)
  return auth(ctx).withHashingPermit(network, () => createAndSignIn(ctx, account))
}

async function createAndSignIn(ctx: Context, { client, ...account }: NewAccount): Promise<Signed> {
  await claimAttempt(ctx, { kind: 'registration', username: '', address: client.address })
  const passwordHash = await auth(ctx).hashPassword(account.password)
  await addAccount(ctx, { ...account, passwordHash })
  return startSession(ctx, { username: account.username, password: account.password, client })
}

/** Throws `conflict` when the name or the address is taken, and `forbidden` when registration is closed. */
function addAccount(ctx: Context, account: RegisterRequest & { passwordHash: string }): Promise<void> {
  const { username, email, passwordHash } = account
  return transaction(ctx, async (ctx) => {
    const { db, settings } = ctx
    await lockAccounts(db)
    const isFirst = !(await existsAccount(db))
    if (settings.registration === 'closed' && !isFirst) throw registrationClosed()
    const role = isFirst ? 'admin' : 'user'
    const id = await createAccount(db, { username, email, role, passwordHash })
    if (id === undefined) throw await accountTaken(ctx, username)
    await recordActivity(ctx, {
      kind: 'account.created',
      object: 'account',
      id,
      personId: id,
      after: { role },
    })
    await askAddresses(ctx, { account: { id, username, email, role }, addresses: [email] })
  })
}

function registrationClosed(): AppError {
  return new AppError('forbidden', 'Registration is closed. Please ask an administrator for an account.')
}

const accountsSeen = onePerApp(() => ({ any: false }))

/** Who can create an account now: the first person always can, even with REGISTRATION=closed. Accounts are never deleted. */
export async function registrationNow(ctx: Context): Promise<Instance['registration']> {
  const seen = accountsSeen(ctx)
  seen.any ||= await existsAccount(ctx.db)
  return seen.any ? ctx.settings.registration : 'first'
}

export async function ensureAdmin(ctx: Context<Database>): Promise<void> {
  const { db, settings } = ctx
  const { admin } = settings
  if (admin === undefined || (await existsUsername(db, admin.username))) return
  // Another process may make it meanwhile.
  await createAdmin(ctx, { ...admin, ifMissing: true })
}

export function deleteExpiredSessions(ctx: Context): Promise<number> {
  return deleteExpired(ctx.db, { now: ctx.now(), attemptsSince: oldestThatCounts(ctx) })
}
