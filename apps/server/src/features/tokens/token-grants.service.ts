import type { TokenType, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { keepValues, type RowChanges } from '../../platform/kept/keep-values.ts'
import type { TokenUses } from './token-uses.service.ts'
import { hashOf, isTokenValue } from './token-value.ts'
import { prepareFindGrant, type StoredGrant } from './tokens.repository.ts'

const GRANTS_KEPT = 10_000
const MINUTE_MS = 60_000

/** What a call may do that shows a token. */
export interface Grant
  extends Pick<StoredGrant, 'chainId' | 'includesAllChains' | 'chainIds' | 'threshold' | 'name'> {
  tokenId: number
  type: TokenType
  /** Whose rights, variables and money count. */
  user: User
  answersHelperJobs: boolean
  showsProgress: boolean
}

/** Why a call with a good token is refused for now. */
export class TokenLimitError extends AppError {
  readonly limit: 'rate' | 'budget'

  constructor(limit: 'rate' | 'budget', message: string, retryAfter?: number) {
    super('too_many', message, retryAfter === undefined ? {} : { retryAfter })
    this.limit = limit
  }
}

export interface TokenGrantsDeps {
  db: Database
  rowChanges: RowChanges
  uses: TokenUses
  now: () => Date
}

interface Window {
  endsAt: number
  count: number
}

export type TokenGrants = ReturnType<typeof createTokenGrants>

/** Whose a token's value is, and whether it may be used now. */
export function createTokenGrants({ db, rowChanges, uses, now }: TokenGrantsDeps) {
  const find = keepValues({
    rowChanges,
    load: prepareFindGrant(db),
    rowsOf: ({ id, userId }) => [`api_tokens:${id}`, `users:${userId}`],
    capacity: GRANTS_KEPT,
  })
  const windows = new Map<number, Window>()
  const underWay = new Map<number, number>()

  function countCall({ id, requestsPerMinute }: StoredGrant): void {
    if (requestsPerMinute === null) return
    const at = now().getTime()
    const known = windows.get(id)
    const window = known !== undefined && known.endsAt > at ? known : { endsAt: at + MINUTE_MS, count: 0 }
    windows.set(id, window)
    if (window.count >= requestsPerMinute) {
      const wait = Math.ceil((window.endsAt - at) / 1_000)
      throw new TokenLimitError(
        'rate',
        `This token allows ${requestsPerMinute} requests a minute. Try again in ${wait} s.`,
        wait,
      )
    }
    window.count += 1
  }

  async function requireBudget({ id, monthlyBudgetNanos }: StoredGrant): Promise<void> {
    if (monthlyBudgetNanos === null || (await uses.spentNanos(id)) < monthlyBudgetNanos) return
    throw new TokenLimitError('budget', 'This token has spent its money of this month.')
  }

  /** Gives the place back when called. */
  function takePlace({ id, callsAtOnce }: StoredGrant): () => void {
    const count = underWay.get(id) ?? 0
    if (callsAtOnce !== null && count >= callsAtOnce) {
      throw new TokenLimitError('rate', `This token allows ${callsAtOnce} calls at once.`, 1)
    }
    underWay.set(id, count + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      const left = (underWay.get(id) ?? 1) - 1
      if (left === 0) underWay.delete(id)
      else underWay.set(id, left)
    }
  }

  async function findStored(value: string | undefined): Promise<StoredGrant> {
    if (value === undefined) throw new AppError('unauthenticated', 'Send a token of Catenary as the API key.')
    const found = isTokenValue(value) ? await find(hashOf(value)) : undefined
    const at = now()
    if (found === undefined || (found.valueUntil !== null && found.valueUntil <= at)) {
      throw new AppError('unauthenticated', 'This token is not known: it is mistyped, rotated or deleted.')
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
    open: async (value: string | undefined): Promise<Grant> => toGrant(await findStored(value)),

    /** The same for a call that costs: throws a TokenLimitError where one is met. `leave` ends the call. */
    async enter(value: string | undefined): Promise<{ grant: Grant; leave: () => void }> {
      const stored = await findStored(value)
      try {
        countCall(stored)
        await requireBudget(stored)
        return { grant: toGrant(stored), leave: takePlace(stored) }
      } catch (error) {
        if (error instanceof TokenLimitError) {
          const { message, limit } = error
          uses.add({ tokenId: stored.id, error: { message, code: `token_${limit}` } })
        }
        throw error
      }
    },
  }
}

function toGrant({ id, kind, userId, username, email, role, ...stored }: StoredGrant): Grant {
  const { name, chainId, includesAllChains, chainIds, threshold, answersHelperJobs, showsProgress } = stored
  return {
    tokenId: id,
    type: kind,
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    ...{ name, chainId, includesAllChains, chainIds, threshold, answersHelperJobs, showsProgress },
  }
}
