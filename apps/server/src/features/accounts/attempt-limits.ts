import { AppError } from '../../errors.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  type AttemptSubject,
  createAttempt,
  deleteAttempt,
  deleteAttemptsOf,
  listAttempts,
  lockAttempts,
} from './accounts.sql.ts'
import { toClientNetwork } from './client-network.ts'

const MINUTE_MS = 60_000

/** Failed sign-ins to one account from one network (D11), and failed sign-ins and registrations from one network. */
const LIMITS = {
  'sign-in': {
    windowMs: 15 * MINUTE_MS,
    ofNetwork: 20,
    ofAccount: 10,
    message: 'Too many failed sign-ins.',
  },
  registration: {
    windowMs: 60 * MINUTE_MS,
    ofNetwork: 20,
    ofAccount: 20,
    message: 'Too many new accounts from this address.',
  },
} as const

interface Claim extends Omit<AttemptSubject, 'network'> {
  address: string
  /** For a signed-in person: attempts by others from the same address don't count. */
  isSignedIn?: boolean
}

/**
 * Counts an attempt before it is made, so that parallel ones can't slip through; throws `too_many`. Counts in the
 * database, so that the limits hold for all processes together and across restarts.
 */
export async function claimAttempt(
  ctx: Context,
  { kind, username, address, isSignedIn = false }: Claim,
): Promise<{ withdraw: () => Promise<void>; forgetAll: () => Promise<void> }> {
  const { db } = ctx
  const subject = { kind, username: username.toLowerCase(), network: toClientNetwork(address) }
  const { windowMs, ofNetwork, ofAccount } = LIMITS[kind]
  const { id } = await transaction(ctx, async ({ db, now }) => {
    await lockAttempts(db, subject)
    const createdAt = now()
    const since = new Date(createdAt.getTime() - windowMs)
    const earlier = await listAttempts(db, { ...subject, since, until: latestBelieved(createdAt) })
    const ofSame = earlier.filter((attempt) => attempt.username === subject.username)
    // The attempt that must expire before another may be made.
    const first = ofSame.at(-ofAccount) ?? (isSignedIn ? undefined : earlier.at(-ofNetwork))
    if (first !== undefined) throw tooMany({ kind, oldest: first.createdAt, now: createdAt })
    return createAttempt(db, { ...subject, createdAt })
  })
  return {
    withdraw: () => deleteAttempt(db, id),
    forgetAll: () => deleteAttemptsOf(db, subject),
  }
}

export function oldestThatCounts({ now }: Context): Date {
  const windows = Object.values(LIMITS).map(({ windowMs }) => windowMs)
  return new Date(now().getTime() - Math.max(...windows))
}

function tooMany({ kind, oldest, now }: { kind: keyof typeof LIMITS; oldest: Date; now: Date }): AppError {
  const { windowMs, message } = LIMITS[kind]
  const waitMs = Math.max(oldest.getTime() + windowMs - now.getTime(), 1000)
  const minutes = Math.ceil(waitMs / MINUTE_MS)
  return new AppError('too_many', `${message} Try again in ${minutes} min.`, { retryAfter: waitMs / 1000 })
}
