import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type LoginRequest,
  PASSWORD_MAX,
  PASSWORD_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
  type User,
} from '@catenary/contracts'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { isAPIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import { admin } from 'better-auth/plugins/admin'
import { username } from 'better-auth/plugins/username'
import { AppError } from '../../errors.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import type { SecretKeys } from '../../platform/secrets/secret-key.ts'
import { type Disablement, isDisabled, toRole } from './accounts.policy.ts'
import { AUTH_TABLES, existsAccount } from './accounts.sql.ts'
import { createHashingSemaphore, passwordHashing } from './password-hashing.ts'

const DAY_S = 24 * 60 * 60
const SESSION_DAYS = 30
/** Set by us, so that a header of the client's choosing is never believed. */
const ADDRESS_HEADER = 'x-catenary-address'

export interface Client {
  headers: Headers
  address: string
}

export interface Signed<T extends User | null = User> {
  user: T
  cookies: string[]
}

export const auth = onePerApp((ctx) => createAuth(ctx))

function createAuth(ctx: Context) {
  const { db, settings: keys } = ctx
  const auth = createBetterAuth(ctx)
  const reachDatabase = () => existsAccount(db)

  /** Throws the database's own error while it is away; better-auth would only say that it failed. */
  async function orAway(error: unknown): Promise<never> {
    if (isAPIError(error) && error.statusCode >= 500) await reachDatabase()
    throw error
  }

  /** better-auth knows one key: a cookie that the other key signed is signed again with this one. */
  async function knownSession(given: Headers): Promise<{ headers: Headers; cookies: string[] }> {
    const { authCookies } = await auth.$context
    const { name, attributes } = authCookies.sessionToken
    const value = signAnew({ headers: given, name, keys })
    if (value === undefined) return { headers: given, cookies: [] }
    const headers = new Headers(given)
    headers.set('cookie', `${name}=${value}`)
    const secure = attributes.secure ? '; Secure' : ''
    const cookie = `${name}=${value}; Max-Age=${attributes.maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`
    return { headers, cookies: [cookie] }
  }

  return {
    hashPassword: passwordHashing.hash,
    verifyPassword: passwordHashing.verify,
    withHashingPermit: createHashingSemaphore(),

    async signIn({ client, ...body }: LoginRequest & { client: Client }): Promise<Signed> {
      const headers = new Headers(client.headers)
      headers.set(ADDRESS_HEADER, client.address)
      const signedIn = await auth.api
        .signInUsername({ body, headers, returnHeaders: true })
        .catch((error: unknown) => Promise.reject(toAppError(error)))
        .catch(orAway)
      return { user: toUser(signedIn.response.user), cookies: signedIn.headers.getSetCookie() }
    },

    async readSessionToken(headers: Headers): Promise<string | undefined> {
      const { authCookies } = await auth.$context
      return readSessionToken({ headers, name: authCookies.sessionToken.name, keys })
    },

    async renewSession(given: Headers): Promise<Signed<User | null>> {
      const { headers, cookies } = await knownSession(given)
      const renewed = await auth.api
        .getSession({ headers, returnHeaders: true })
        .catch(ifEndedMeanwhile)
        .catch(orAway)
      const found = renewed.response
      const user = found === null || isDisabled(found.user) ? null : toUser(found.user)
      const set = renewed.headers.getSetCookie()
      return { user, cookies: user === null || set.length > 0 ? set : cookies }
    },

    async signOut(given: Headers): Promise<string[]> {
      const { headers } = await knownSession(given)
      await reachDatabase()
      const signedOut = await auth.api.signOut({ headers, returnHeaders: true })
      return signedOut.headers.getSetCookie()
    },
  }
}

function createBetterAuth({ db, log, settings }: Context) {
  const { publicUrl, secretKey } = settings
  return betterAuth({
    baseURL: publicUrl,
    secret: secretKey,
    // Without `transaction`: its hooks would query through the pool and wait for the transaction they are in.
    database: drizzleAdapter(db, { provider: 'pg', schema: AUTH_TABLES }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: passwordHashing,
    },
    session: { expiresIn: SESSION_DAYS * DAY_S, updateAge: DAY_S },
    plugins: [
      username({
        minUsernameLength: USERNAME_MIN,
        maxUsernameLength: USERNAME_MAX,
        // An unknown name of any form must cost the same time as a known one.
        usernameValidator: () => true,
      }),
      admin(),
    ],
    advanced: {
      cookiePrefix: 'catenary',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId: 'serial' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, cause: unknown) => log.error({ err: cause }, message),
    },
  })
}

interface AuthUser extends Disablement {
  id: string
  email: string
  username?: string | null | undefined
  displayUsername?: string | null | undefined
  role?: string | null | undefined
}

function toUser({ id, email, username, displayUsername, role }: AuthUser): User {
  return { id: Number(id), username: displayUsername ?? username ?? email, email, role: toRole(role) }
}

function ifEndedMeanwhile(error: unknown) {
  if (isAPIError(error) && error.statusCode < 500) return { response: null, headers: new Headers() }
  throw error
}

function toAppError(error: unknown): unknown {
  if (!isAPIError(error)) return error
  if (error.body?.code === 'BANNED_USER') {
    return new AppError('forbidden', 'This account is disabled. Please ask an administrator.')
  }
  if (error.statusCode < 500) return new AppError('unauthenticated', 'Invalid username or password')
  return error
}

interface SessionCookie {
  headers: Headers
  name: string
  keys: SecretKeys
}

/** Undefined when absent, or not signed by a known key. */
function readSessionToken(cookie: SessionCookie): string | undefined {
  return readSigned(cookie)?.token
}

/** Undefined where the current key signed it already. */
function signAnew({ headers, name, keys }: SessionCookie): string | undefined {
  const signed = readSigned({ headers, name, keys })
  if (signed === undefined || signed.by === keys.secretKey) return undefined
  const signature = sign(signed.token, keys.secretKey).toString('base64')
  return encodeURIComponent(`${signed.token}.${signature}`)
}

function readSigned({ headers, name, keys }: SessionCookie): { token: string; by: string } | undefined {
  const value = findCookie({ header: headers.get('cookie') ?? '', name })
  const dot = value?.lastIndexOf('.') ?? -1
  if (value === undefined || dot < 1) return undefined
  const token = value.slice(0, dot)
  const signature = Buffer.from(value.slice(dot + 1), 'base64')
  const { secretKey, secretKeyAlso = secretKey } = keys
  const by = [secretKey, secretKeyAlso].find((key) => isEqual(signature, sign(token, key)))
  return by === undefined ? undefined : { token, by }
}

const sign = (token: string, key: string): Buffer => createHmac('sha256', key).update(token).digest()

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

function findCookie({ header, name }: { header: string; name: string }): string | undefined {
  const start = `${name}=`
  const pair = header.split(';').find((part) => part.trimStart().startsWith(start))
  try {
    return pair && decodeURIComponent(pair.trim().slice(start.length))
  } catch {
    // We wrote no malformed escape.
    return undefined
  }
}
