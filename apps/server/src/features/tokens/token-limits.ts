import { AppError } from '../../errors.ts'
import { PermitCounts } from '../../limits/permit-counts.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { describeShare } from '../../platform/processes/processes.ts'
import { boundsOf, findBudgetRefusal } from '../spending/spending.ts'
import { addUse, spentNanos } from './token-uses.ts'
import type { StoredGrant } from './tokens.sql.ts'

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

const counts = onePerApp(({ windows, now }) => ({
  windows: windows({ name: 'token', capacity: TOKENS_COUNTED, now: () => now().getTime() }),
  ofTokens: new PermitCounts<number>(),
  ofPeople: new PermitCounts<number>(),
}))

/** For a call that costs nothing: it counts among the requests a minute. Throws a TokenLimitError, which is the token's last error then. */
export async function countCall(ctx: Context, token: StoredGrant): Promise<void> {
  try {
    await countRequest(ctx, token)
  } catch (error) {
    recordRefusal(ctx, token, error)
    throw error
  }
}

/** For a call that costs; the result ends it, and may be called twice. Throws a TokenLimitError, which is the token's last error then. */
export async function enterCall(ctx: Context, token: StoredGrant): Promise<() => void> {
  try {
    await countRequest(ctx, token)
    await requireBudget(ctx, token)
    return acquirePermits(ctx, token, await boundsOf(ctx, { id: token.userId }))
  } catch (error) {
    recordRefusal(ctx, token, error)
    throw error
  }
}

async function countRequest(ctx: Context, { id, requestsPerMinute: limit }: StoredGrant): Promise<void> {
  if (limit === null) return
  const added = { key: id, windowMs: MINUTE_MS, limit, forgetsRefused: true }
  const { current, ttl } = await counts(ctx).windows.add(added)
  if (current <= limit) return
  const wait = Math.max(1, Math.ceil(ttl / 1_000))
  throw new TokenLimitError(
    'rate',
    `This token allows ${limit} requests a minute. Try again in ${wait} s.`,
    wait,
  )
}

async function requireBudget(ctx: Context, { id, userId, monthlyBudgetNanos }: StoredGrant): Promise<void> {
  const refusal = await findBudgetRefusal(ctx, userId)
  if (refusal !== undefined) throw new TokenLimitError('budget', refusal)
  if (monthlyBudgetNanos === null || (await spentNanos(ctx, id)) < monthlyBudgetNanos) return
  throw new TokenLimitError('budget', 'This token has spent its budget for this month.')
}

/** Gives the permits back when called: one of the token, one of whose it is. */
function acquirePermits(
  ctx: Context,
  { id, userId, callsAtOnce }: StoredGrant,
  { streams }: { streams: number },
): () => void {
  const { processes } = ctx
  const { ofTokens, ofPeople } = counts(ctx)
  const ofToken = callsAtOnce === null ? undefined : processes.share(callsAtOnce, 'serving')
  if (ofToken !== undefined && ofTokens.of(id) >= ofToken.most) {
    const allowed = `${callsAtOnce} calls at once${describeShare(ofToken)}`
    throw new TokenLimitError('rate', `This token allows ${allowed}.`, 1)
  }
  const ofPerson = processes.share(streams, 'serving')
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

function recordRefusal(ctx: Context, { id: tokenId }: StoredGrant, error: unknown): void {
  if (!(error instanceof TokenLimitError)) return
  const { message, limit } = error
  addUse(ctx, { tokenId, error: { message, code: `token_${limit}` } })
}
