import { abilitiesOf, reachOf, type TokenAbility, type TokenReach, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type AppContext, type Context, onePerApp } from '../../platform/context.ts'
import type { HttpRequest } from '../../platform/http/routes.ts'
import { sendsFor } from '../fills/fills.ts'
import type { Allowed } from '../records/records.ts'
import { fillsOf } from './token-fills.ts'
import { hashOf, isTokenValue } from './token-value.ts'
import { prepareFindGrant, type StoredGrant } from './tokens.sql.ts'

const GRANTS_KEPT = 10_000

export interface Grant
  extends TokenReach,
    Omit<StoredGrant, 'scopes' | 'fills' | 'sends' | 'userId' | 'username' | 'email' | 'role'> {
  abilities: ReadonlySet<TokenAbility>
  user: User
  /** What may be filled in of their private values where others brought the names in (D69). */
  allowed: Allowed
  /** Where they may go in a run of the chain (D89). */
  sendsFor: (chainId: number) => Promise<readonly string[]>
}

const grants = onePerApp((ctx) => {
  const find = prepareFindGrant(ctx.db)
  return readThroughCache({
    rowChanges: ctx.rowChanges,
    load: async (hash: string) => {
      const stored = await find(hash)
      return stored && toGrant(ctx, stored)
    },
    rowsOf: ({ tokenId, user }) => [`api_tokens:${tokenId}`, `users:${user.id}`],
    capacity: GRANTS_KEPT,
  })
})

/** What it may fill in is asked for with each call, outside of any transaction. */
function toGrant(
  ctx: AppContext,
  { scopes, fills, sends, userId, username, email, role, ...stored }: StoredGrant,
): Grant {
  const reach = reachOf(scopes)
  return {
    ...stored,
    ...reach,
    abilities: new Set(abilitiesOf(scopes)),
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    allowed: { fills: fillsOf(ctx, { userId, fills, ...reach }) },
    sendsFor: (chainId) => sendsFor(ctx, { userId, sends, chainId, ...reach }),
  }
}

/** Throws `unauthenticated` unless the value is that of a token that works. */
export async function openGrant(ctx: Context, value: string | undefined): Promise<Grant> {
  const grant = await findGrant(ctx, value)
  requireWorking(ctx, grant)
  return grant
}

async function findGrant(ctx: Context, value: string | undefined): Promise<Grant> {
  if (value === undefined) throw new AppError('unauthenticated', 'Send a Catenary token as the API key.')
  const found = isTokenValue(value) ? await grants(ctx)(hashOf(value)) : undefined
  if (found === undefined || (found.valueUntil !== null && found.valueUntil <= ctx.now())) {
    throw new AppError('unauthenticated', 'This token is not valid: it was mistyped, rotated or deleted.')
  }
  return found
}

function requireWorking({ now }: Context, { expiresAt, banned, banExpires }: Grant): void {
  const at = now()
  if (expiresAt !== null && expiresAt <= at) {
    throw new AppError('unauthenticated', 'This token has expired.')
  }
  if (banned && (banExpires === null || banExpires > at)) {
    throw new AppError('unauthenticated', 'The account of this token is disabled.')
  }
}

const shown = new WeakMap<HttpRequest, Grant>()

export const bearerOf = ({ headers: { authorization = '' } }: HttpRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

interface Admission {
  request: HttpRequest
  /** Unless given, the bearer's. */
  token?: string | undefined
  /** Throws where the token opens no such route. */
  require: (grant: Grant) => void
}

/** Looks up what a call may do, which nothing asks again while it is answered; the result is whose rights it has. */
export async function admitToken(
  ctx: Context,
  { request, token = bearerOf(request), require }: Admission,
): Promise<User> {
  const grant = await findGrant(ctx, token)
  // Before it is asked what it may do: a refusal says whose token it was.
  shown.set(request, grant)
  requireWorking(ctx, grant)
  require(grant)
  return grant.user
}

/** Of a token that is there, also where it opened nothing or has ended. */
export const shownGrant = (request: HttpRequest): Grant | undefined => shown.get(request)

export function grantOf(request: HttpRequest): Grant {
  const grant = shown.get(request)
  if (grant === undefined) throw new Error('No token opened this route')
  return grant
}
