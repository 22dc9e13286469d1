import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import {
  type AttemptSubject,
  createAttempt,
  deleteAttempt,
  deleteAttemptsOf,
  listAttempts,
} from './accounts.repository.ts'
import { toClientNetwork } from './client-network.ts'

const MINUTE_MS = 60_000

/** Failed sign-ins for one account from one network (D11), and registrations from one network. */
const LIMITS = {
  'sign-in': { count: 10, windowMs: 15 * MINUTE_MS, message: 'Too many failed sign-ins.' },
  registration: { count: 20, windowMs: 60 * MINUTE_MS, message: 'Too many new accounts from this address.' },
} as const

/** Counts in the database, so that the limits hold for all processes together and across restarts. */
export function createAttemptLimits({ db, now }: { db: Database; now: () => Date }) {
  return {
    /** Counts an attempt before it is made, so that parallel ones can't slip through; throws `too_many`. */
    async claim({ kind, username, address }: Omit<AttemptSubject, 'network'> & { address: string }) {
      const subject = { kind, username: username.toLowerCase(), network: toClientNetwork(address) }
      const { count, windowMs } = LIMITS[kind]
      const createdAt = now()
      const since = new Date(createdAt.getTime() - windowMs)
      const earlier = await listAttempts(db, { ...subject, since })
      if (earlier.length >= count) throw tooMany({ kind, oldest: earlier[0] ?? createdAt, now: createdAt })
      const { id } = await createAttempt(db, { ...subject, createdAt })
      const attempts = await listAttempts(db, { ...subject, since })
      if (attempts.length > count) {
        await deleteAttempt(db, id)
        throw tooMany({ kind, oldest: attempts[0] ?? createdAt, now: createdAt })
      }
      return {
        withdraw: () => deleteAttempt(db, id),
        forgetAll: () => deleteAttemptsOf(db, subject),
      }
    },

    /** Attempts before this time count for nothing. */
    oldestThatCounts(): Date {
      const windows = Object.values(LIMITS).map(({ windowMs }) => windowMs)
      return new Date(now().getTime() - Math.max(...windows))
    },
  }
}

function tooMany({ kind, oldest, now }: { kind: keyof typeof LIMITS; oldest: Date; now: Date }): AppError {
  const { windowMs, message } = LIMITS[kind]
  const waitMs = Math.max(oldest.getTime() + windowMs - now.getTime(), 1000)
  const minutes = Math.ceil(waitMs / MINUTE_MS)
  return new AppError('too_many', `${message} Try again in ${minutes} min.`, { retryAfter: waitMs / 1000 })
}
