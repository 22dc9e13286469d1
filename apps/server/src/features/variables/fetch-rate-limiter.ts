import { AppError } from '../../errors.ts'
import { RateWindows } from '../../platform/limits/rate-windows.ts'

const WINDOW_MS = 60_000
const FETCHES_PER_WINDOW = 120

/** How many fetches a person may ask for a minute, in this process; those of runs are bounded with the runs. */
export function createFetchRateLimiter({ now }: { now: () => Date }) {
  const windows = new RateWindows<number>({ now: () => now().getTime() })

  return {
    /** Counts a fetch before it is made; throws `too_many`. */
    claim(userId: number): void {
      const { current, ttl } = windows.add({ key: userId, windowMs: WINDOW_MS, most: FETCHES_PER_WINDOW })
      if (current <= FETCHES_PER_WINDOW) return
      const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
      throw new AppError('too_many', `Too many fetches. Try again in ${retryAfter} s.`, { retryAfter })
    },
  }
}
