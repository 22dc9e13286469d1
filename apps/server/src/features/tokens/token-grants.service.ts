import type { TokenType, User } from '@catenary/contracts'
import type { Allowed } from '../../consent.ts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { fillsOf } from './token-fills.ts'
import { createTokenLimits, type TokenLimitsDeps } from './token-limits.ts'
import { hashOf, isTokenValue } from './token-value.ts'
import { prepareFindGrant, type StoredGrant } from './tokens.repository.ts'

const GRANTS_KEPT = 10_000

/** What a call may do that shows a token. */
export interface Grant
  extends Pick<
    StoredGrant,
    | 'chainId'
    | 'chainLabel'
    | 'includesAllChains'
    | 'chainIds'
    | 'threshold'
    | 'name'
    | 'includesAllPrompts'
    | 'promptIds'
    | 'labels'
    | 'mayRun'
    | 'expiresAt'
    | 'mayWrite'
  > {
  tokenId: number
  type: TokenType
  /** Whose rights, variables and money count. */
  user: User
  /** What may be filled in of their private values where others brought the names in (D69). */
  allowed: Allowed
  answersHelperJobs: boolean
  showsProgress: boolean
}

export interface TokenGrantsDeps extends TokenLimitsDeps {
  db: Database
  rowChanges: RowChanges
}

export type TokenGrants = ReturnType<typeof createTokenGrants>

/** Whose a token's value is, and whether it may be used now. */
export function createTokenGrants({ db, rowChanges, now, ...deps }: TokenGrantsDeps) {
  const find = readThroughCache({
    rowChanges,
    load: prepareFindGrant(db),
    rowsOf: ({ id, userId }) => [`api_tokens:${id}`, `users:${userId}`],
    capacity: GRANTS_KEPT,
  })
  const limits = createTokenLimits({ now, ...deps })

  async function findStored(value: string | undefined): Promise<StoredGrant> {
    if (value === undefined) throw new AppError('unauthenticated', 'Send a token of Catenary as the API key.')
    const found = isTokenValue(value) ? await find(hashOf(value)) : undefined
    const at = now()
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

  return {
    /** Throws `unauthenticated` unless the value is that of a token that works. */
    open: async (value: string | undefined): Promise<Grant> => toGrant(db, await findStored(value)),

    /** The same for a call that costs nothing: it counts among the requests a minute. */
    async count(value: string | undefined): Promise<Grant> {
      const stored = await findStored(value)
      await limits.count(stored)
      return toGrant(db, stored)
    },

    /** The same for a call that costs: throws a TokenLimitError where one is met. `release` ends the call. */
    async enter(value: string | undefined): Promise<{ grant: Grant; release: () => void }> {
      const stored = await findStored(value)
      return { grant: toGrant(db, stored), release: await limits.enter(stored) }
    },
  }
}

function toGrant(db: Database, { id, kind, userId, username, email, role, ...stored }: StoredGrant): Grant {
  return {
    allowed: { fills: fillsOf(db, { userId, ...stored }) },
    tokenId: id,
    type: kind,
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    name: stored.name,
    chainId: stored.chainId,
    chainLabel: stored.chainLabel,
    includesAllChains: stored.includesAllChains,
    chainIds: stored.chainIds,
    includesAllPrompts: stored.includesAllPrompts,
    promptIds: stored.promptIds,
    labels: stored.labels,
    expiresAt: stored.expiresAt,
    mayRun: stored.mayRun,
    mayWrite: stored.mayWrite,
    threshold: stored.threshold,
    answersHelperJobs: stored.answersHelperJobs,
    showsProgress: stored.showsProgress,
  }
}
