import type { TokenReach, TokenType, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import type { Allowed } from '../records/records.ts'
import { fillsOf } from './token-fills.ts'
import { countCall, enterCall } from './token-limits.ts'
import { hashOf, isTokenValue } from './token-value.ts'
import { prepareFindGrant, type StoredGrant } from './tokens.sql.ts'

const GRANTS_KEPT = 10_000

/** What a call may do that shows a token. */
export interface Grant
  extends Pick<
    StoredGrant,
    | 'chainId'
    | 'chainLabel'
    | keyof TokenReach
    | 'abilities'
    | 'threshold'
    | 'name'
    | 'labels'
    | 'expiresAt'
    | 'answersHelperJobs'
    | 'showsProgress'
  > {
  tokenId: number
  type: TokenType
  /** Whose rights, variables and money count. */
  user: User
  /** What may be filled in of their private values where others brought the names in (D69). */
  allowed: Allowed
}

const storedGrants = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    load: prepareFindGrant(db),
    rowsOf: ({ id, userId }) => [`api_tokens:${id}`, `users:${userId}`],
    capacity: GRANTS_KEPT,
  }),
)

/** Throws `unauthenticated` unless the value is that of a token that works. */
export async function openGrant(ctx: Context, value: string | undefined): Promise<Grant> {
  return toGrant(ctx, await findStored(ctx, value))
}

/** The same for a call that costs nothing: it counts among the requests a minute. */
export async function countGrant(ctx: Context, value: string | undefined): Promise<Grant> {
  const stored = await findStored(ctx, value)
  await countCall(ctx, stored)
  return toGrant(ctx, stored)
}

/** The same for a call that costs: throws a TokenLimitError where one is met. `release` ends the call. */
export async function enterGrant(
  ctx: Context,
  value: string | undefined,
): Promise<{ grant: Grant; release: () => void }> {
  const stored = await findStored(ctx, value)
  return { grant: toGrant(ctx, stored), release: await enterCall(ctx, stored) }
}

async function findStored(ctx: Context, value: string | undefined): Promise<StoredGrant> {
  if (value === undefined) throw new AppError('unauthenticated', 'Send a token of Catenary as the API key.')
  const found = isTokenValue(value) ? await storedGrants(ctx)(hashOf(value)) : undefined
  const at = ctx.now()
  if (found === undefined || (found.valueUntil !== null && found.valueUntil <= at)) {
    throw new AppError('unauthenticated', 'This token is unknown: it was mistyped, rotated or deleted.')
  }
  if (found.expiresAt !== null && found.expiresAt <= at) {
    throw new AppError('unauthenticated', 'This token has expired.')
  }
  if (found.banned && (found.banExpires === null || found.banExpires > at)) {
    throw new AppError('unauthenticated', 'The account of this token is disabled.')
  }
  return found
}

/** What it may fill in is asked for later, when a transaction of now has ended. */
function toGrant(
  { app }: Context,
  { id, kind, userId, username, email, role, ...stored }: StoredGrant,
): Grant {
  return {
    allowed: { fills: fillsOf(app, { userId, ...stored }) },
    tokenId: id,
    type: kind,
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    name: stored.name,
    chainId: stored.chainId,
    chainLabel: stored.chainLabel,
    abilities: stored.abilities,
    includesAllChains: stored.includesAllChains,
    chainIds: stored.chainIds,
    includesAllPrompts: stored.includesAllPrompts,
    promptIds: stored.promptIds,
    labels: stored.labels,
    expiresAt: stored.expiresAt,
    threshold: stored.threshold,
    answersHelperJobs: stored.answersHelperJobs,
    showsProgress: stored.showsProgress,
  }
}
