import { AppError } from '../../errors.ts'
import type { CreateWindows } from '../../platform/limits/windows.ts'

const WINDOW_MS = 60_000
const FETCHES_PER_WINDOW = 120

/** How many fetches a person may ask for a minute; those of runs are bounded with the runs. */
export function createFetchRateLimiter({ now, ...deps }: { now: () => Date; windows: CreateWindows }) {
  const windows = deps.windows({ name: 'fetches', now: () => now().getTime() })

  return {
    /** Counts a fetch before it is made; throws `too_many`. */
    async claim(userId: number): Promise<void> {
      const added = { key: userId, windowMs: WINDOW_MS, limit: FETCHES_PER_WINDOW, forgetsRefused: true }
      const { current, ttl } = await windows.add(added)
      if (current <= FETCHES_PER_WINDOW) return
      const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
      throw new AppError('too_many', `Too many fetches. Try again in ${retryAfter} s.`, { retryAfter })
    },
  }
}
