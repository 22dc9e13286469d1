import { AppError } from '../../errors.ts'

const WINDOW_MS = 60_000
const FETCHES_PER_WINDOW = 120

/** How many fetches a person may ask for a minute, in this process; those of runs are bounded with the runs. */
export function createFetchRateLimiter({ now }: { now: () => Date }) {
  let startedAt = 0
  let counts = new Map<number, number>()

  return {
    /** Counts a fetch before it is made; throws `too_many`. */
    claim(userId: number): void {
      const elapsed = now().getTime() - startedAt
      if (elapsed >= WINDOW_MS || elapsed < 0) {
        startedAt = now().getTime()
        counts = new Map()
      }
      const count = (counts.get(userId) ?? 0) + 1
      if (count > FETCHES_PER_WINDOW) {
        const retryAfter = Math.max(1, Math.ceil((startedAt + WINDOW_MS - now().getTime()) / 1000))
        throw new AppError('too_many', `Too many fetches. Try again in ${retryAfter} s.`, { retryAfter })
      }
      counts.set(userId, count)
    },
  }
}
