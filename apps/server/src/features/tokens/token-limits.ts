import type { Quotas, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { PermitCounts } from '../../platform/limits/permit-counts.ts'
import type { CreateWindows } from '../../platform/limits/windows.ts'
import { describeShare, type Processes } from '../../platform/processes/processes.ts'
import type { TokenUses } from './token-uses.service.ts'
import type { StoredGrant } from './tokens.repository.ts'

const MINUTE_MS = 60_000
const TOKENS_COUNTED = 10_000

/** Why a call with a good token is refused for now. */
export class TokenLimitError extends AppError {
  readonly limit: 'rate' | 'budget'

  constructor(limit: 'rate' | 'budget', message: string, retryAfter?: number) {
    super('too_many', message, retryAfter === undefined ? {} : { retryAfter })
    this.limit = limit
  }
}

export interface TokenLimitsDeps {
  uses: TokenUses
  boundsOf: (person: Pick<User, 'id'> | null) => Promise<Quotas>
  /** Why its creator's models must not be called now. */
  findRefusal: (userId: number) => Promise<string | undefined>
  windows: CreateWindows
  processes: Pick<Processes, 'share'>
  now: () => Date
}

/** How often, how many at once, and at what cost a token may call; a limit that is met is its last error. */
export function createTokenLimits({ uses, boundsOf, findRefusal, now, ...deps }: TokenLimitsDeps) {
  const windows = deps.windows({ name: 'token', capacity: TOKENS_COUNTED, now: () => now().getTime() })
  const { share } = deps.processes
  const ofTokens = new PermitCounts<number>()
  const ofPeople = new PermitCounts<number>()

  async function countCall({ id, requestsPerMinute: limit }: StoredGrant): Promise<void> {
    if (limit === null) return
    const added = { key: id, windowMs: MINUTE_MS, limit, forgetsRefused: true }
    const { current, ttl } = await windows.add(added)
    if (current <= limit) return
    const wait = Math.max(1, Math.ceil(ttl / 1_000))
    throw new TokenLimitError(
      'rate',
      `This token allows ${limit} requests a minute. Try again in ${wait} s.`,
      wait,
    )
  }

  async function requireBudget({ id, userId, monthlyBudgetNanos }: StoredGrant): Promise<void> {
    const refusal = await findRefusal(userId)
    if (refusal !== undefined) throw new TokenLimitError('budget', refusal)
    if (monthlyBudgetNanos === null || (await uses.spentNanos(id)) < monthlyBudgetNanos) return
    throw new TokenLimitError('budget', 'This token has spent its budget for this month.')
  }

  /** Gives the permits back when called: one of the token, one of whose it is. */
  function acquirePermits({ id, userId, callsAtOnce }: StoredGrant, { streams }: { streams: number }) {
    const ofToken = callsAtOnce === null ? undefined : share(callsAtOnce, 'serving')
    if (ofToken !== undefined && ofTokens.of(id) >= ofToken.most) {
      const allowed = `${callsAtOnce} calls at once${describeShare(ofToken)}`
      throw new TokenLimitError('rate', `This token allows ${allowed}.`, 1)
    }
    const ofPerson = share(streams, 'serving')
    if (ofPeople.of(userId) >= ofPerson.most) {
      const allowed = `${streams.toLocaleString('en')} calls at once${describeShare(ofPerson)}`
      const most = `The tokens of one person may have ${allowed}`
      throw new TokenLimitError('rate', `${most}. Wait for one to end, or ask an administrator for more.`, 1)
    }
    const releases = [ofTokens.take(id), ofPeople.take(userId)]
    return () => {
      for (const release of releases) release()
    }
  }

  function recordRefusal({ id: tokenId }: StoredGrant, error: unknown): void {
    if (!(error instanceof TokenLimitError)) return
    const { message, limit } = error
    uses.add({ tokenId, error: { message, code: `token_${limit}` } })
  }

  return {
    /** For a call that costs nothing: it counts among the requests a minute. Throws a TokenLimitError. */
    async count(token: StoredGrant): Promise<void> {
      try {
        await countCall(token)
      } catch (error) {
        recordRefusal(token, error)
        throw error
      }
    },

    /** For a call that costs; the result ends it, and may be called twice. Throws a TokenLimitError. */
    async enter(token: StoredGrant): Promise<() => void> {
      try {
        await countCall(token)
        await requireBudget(token)
        return acquirePermits(token, await boundsOf({ id: token.userId }))
      } catch (error) {
        recordRefusal(token, error)
        throw error
      }
    },
  }
}
