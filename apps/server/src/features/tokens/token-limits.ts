import { AppError } from '../../errors.ts'
import { PermitCounts } from '../../limits/permit-counts.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { describeShare } from '../../platform/processes/processes.ts'
import { boundsOf, findBudgetRefusal } from '../spending/spending.ts'
import type { Grant } from './token-grants.ts'
import { addUse, spentNanos } from './token-uses.ts'

const MINUTE_MS = 60_000
const TOKENS_COUNTED = 10_000

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

/** Counts a call among the requests a minute. Throws a TokenLimitError, which is the token's last error then. */
export const countCall = (ctx: Context, grant: Grant): Promise<void> =>
  recordingRefusal(ctx, grant, () => countRequest(ctx, grant))

/** The same for a call that costs; the result ends it, and may be called twice. */
export const enterCall = (ctx: Context, grant: Grant): Promise<() => void> =>
  recordingRefusal(ctx, grant, async () => {
    await countRequest(ctx, grant)
    await requireBudget(ctx, grant)
    return acquirePermits(ctx, grant, await boundsOf(ctx, { id: grant.user.id }))
  })

async function recordingRefusal<Result>(
  ctx: Context,
  { tokenId }: Grant,
  enter: () => Promise<Result>,
): Promise<Result> {
  try {
    return await enter()
  } catch (error) {
    if (error instanceof TokenLimitError) {
      addUse(ctx, { tokenId, error: { message: error.message, code: `token_${error.limit}` } })
    }
    throw error
  }
}

interface Failure {
  code: string
  message: string
}

/** What a token's list says of an error; nothing of one that nobody expected. */
export const failureOf = (error: unknown): Failure =>
  error instanceof AppError ? error : { code: 'internal', message: 'Something went wrong on the server' }

export async function countedCall<Answer>(
  ctx: Context,
  { grant, client }: { grant: Grant; client?: string },
  answer: () => Promise<Answer>,
): Promise<Answer> {
  await countCall(ctx, grant)
  const use = { tokenId: grant.tokenId, calls: 1, client }
  try {
    const answered = await answer()
    addUse(ctx, use)
    return answered
  } catch (error) {
    addUse(ctx, { ...use, error: failureOf(error) })
    throw error
  }
}

async function countRequest(ctx: Context, { tokenId, requestsPerMinute: limit }: Grant): Promise<void> {
  if (limit === null) return
  const added = { key: tokenId, windowMs: MINUTE_MS, limit, forgetsRefused: true }
  const { current, ttl } = await counts(ctx).windows.add(added)
  if (current <= limit) return
  const wait = Math.max(1, Math.ceil(ttl / 1_000))
  throw new TokenLimitError(
    'rate',
    `This token allows ${limit} requests a minute. Try again in ${wait} s.`,
    wait,
  )
}

async function requireBudget(ctx: Context, { tokenId, user, monthlyBudgetNanos }: Grant): Promise<void> {
  const refusal = await findBudgetRefusal(ctx, user.id)
  if (refusal !== undefined) throw new TokenLimitError('budget', refusal)
  if (monthlyBudgetNanos === null || (await spentNanos(ctx, tokenId)) < monthlyBudgetNanos) return
  throw new TokenLimitError('budget', 'This token has used up its budget for this month.')
}

function acquirePermits(
  ctx: Context,
  { tokenId, user, callsAtOnce }: Grant,
  { streams }: { streams: number },
): () => void {
  const { processes } = ctx
  const { ofTokens, ofPeople } = counts(ctx)
  const ofToken = callsAtOnce === null ? undefined : processes.share(callsAtOnce, 'serving')
  if (ofToken !== undefined && ofTokens.of(tokenId) >= ofToken.most) {
    const allowed = `${callsAtOnce} calls at once${describeShare(ofToken)}`
    throw new TokenLimitError('rate', `This token allows ${allowed}.`, 1)
  }
  const ofPerson = processes.share(streams, 'serving')
  if (ofPeople.of(user.id) >= ofPerson.most) {
    const allowed = `${streams.toLocaleString('en')} calls at once${describeShare(ofPerson)}`
    const most = `One person’s tokens may have ${allowed}`
    throw new TokenLimitError('rate', `${most}. Wait for one to end, or ask an administrator for more.`, 1)
  }
  const releases = [ofTokens.take(tokenId), ofPeople.take(user.id)]
  return () => {
    for (const release of releases) release()
  }
}
