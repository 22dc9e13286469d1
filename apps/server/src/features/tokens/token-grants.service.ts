import type { TokenType, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import type { BudgetsService } from '../budgets/budgets.ts'
import type { QuotasService } from '../quotas/quotas.ts'
import type { TokenUses } from './token-uses.service.ts'
import { hashOf, isTokenValue } from './token-value.ts'
import { prepareFindGrant, type StoredGrant } from './tokens.repository.ts'

const GRANTS_KEPT = 10_000
const MINUTE_MS = 60_000

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
    | 'promptIds'
    | 'mayRun'
  > {
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
  boundsOf: QuotasService['boundsOf']
  /** Why its creator's models must not be called now. */
  findRefusal: BudgetsService['findRefusal']
  now: () => Date
}

interface Window {
  endsAt: number
  count: number
}

export type TokenGrants = ReturnType<typeof createTokenGrants>

/** Whose a token's value is, and whether it may be used now. */
export function createTokenGrants({ db, rowChanges, uses, boundsOf, findRefusal, now }: TokenGrantsDeps) {
  const find = readThroughCache({
    rowChanges,
    load: prepareFindGrant(db),
    rowsOf: ({ id, userId }) => [`api_tokens:${id}`, `users:${userId}`],
    capacity: GRANTS_KEPT,
  })
  const windows = new Map<number, Window>()
  const underWay = new Map<string, number>()

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

  async function requireBudget({ id, userId, monthlyBudgetNanos }: StoredGrant): Promise<void> {
    const refusal = await findRefusal(userId)
    if (refusal !== undefined) throw new TokenLimitError('budget', refusal)
    if (monthlyBudgetNanos === null || (await uses.spentNanos(id)) < monthlyBudgetNanos) return
    throw new TokenLimitError('budget', 'This token has spent its budget for this month.')
  }

  /** Gives the places back when called: one of the token, one of whose it is. */
  function acquirePermits({ id, userId, callsAtOnce }: StoredGrant, { streams }: { streams: number }) {
    const places = [`token ${id}`, `user ${userId}`] as const
    const [ofToken = 0, ofPerson = 0] = places.map((place) => underWay.get(place))
    if (callsAtOnce !== null && ofToken >= callsAtOnce) {
      throw new TokenLimitError('rate', `This token allows ${callsAtOnce} calls at once.`, 1)
    }
    if (ofPerson >= streams) {
      const most = `The tokens of one person may have ${streams.toLocaleString('en')} calls at once`
      throw new TokenLimitError('rate', `${most}. Wait for one to end, or ask an administrator for more.`, 1)
    }
    underWay.set(places[0], ofToken + 1).set(places[1], ofPerson + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      for (const place of places) {
        const left = (underWay.get(place) ?? 1) - 1
        if (left === 0) underWay.delete(place)
        else underWay.set(place, left)
      }
    }
  }

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

  /** A limit that is met is the token's last error. */
  async function recordingLimits<Entered>({ id: tokenId }: StoredGrant, acquire: () => Promise<Entered>) {
    try {
      return await acquire()
    } catch (error) {
      if (error instanceof TokenLimitError) {
        const { message, limit } = error
        uses.add({ tokenId, error: { message, code: `token_${limit}` } })
      }
      throw error
    }
  }

  return {
    /** Throws `unauthenticated` unless the value is that of a token that works. */
    open: async (value: string | undefined): Promise<Grant> => toGrant(await findStored(value)),

    /** The same for a call that costs nothing: it counts among the requests a minute. */
    async count(value: string | undefined): Promise<Grant> {
      const stored = await findStored(value)
      return recordingLimits(stored, async () => {
        countCall(stored)
        return toGrant(stored)
      })
    },

    /** The same for a call that costs: throws a TokenLimitError where one is met. `release` ends the call. */
    async enter(value: string | undefined): Promise<{ grant: Grant; release: () => void }> {
      const stored = await findStored(value)
      return recordingLimits(stored, async () => {
        countCall(stored)
        await requireBudget(stored)
        const bounds = await boundsOf({ id: stored.userId })
        return { grant: toGrant(stored), release: acquirePermits(stored, bounds) }
      })
    },
  }
}

function toGrant({ id, kind, userId, username, email, role, ...stored }: StoredGrant): Grant {
  const { chainId, chainLabel, includesAllChains, chainIds, promptIds, mayRun, ...rest } = stored
  const { name, threshold, answersHelperJobs, showsProgress } = rest
  return {
    tokenId: id,
    type: kind,
    user: { id: userId, username, email, role: role === 'admin' ? 'admin' : 'user' },
    ...{ chainId, chainLabel, includesAllChains, chainIds, promptIds, mayRun },
    ...{ name, threshold, answersHelperJobs, showsProgress },
  }
}
