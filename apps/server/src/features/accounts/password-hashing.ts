import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../errors.ts'

/** Argon2id, which is the library's default algorithm, at OWASP's cost: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** One less than Node's pool of four threads: reading files must go on meanwhile. */
const MAX_RUNNING = 3
const MAX_WAITING = 200
const RETRY_AFTER_S = 5

/** Hashes and verifies passwords, few at a time; throws `unavailable` when too many wait. */
export function createPasswordHashing() {
  const run = createQueue()
  return {
    hash: (password: string): Promise<string> => run(() => hash(password, COST)),
    verify: (candidate: { hash: string; password: string }): Promise<boolean> =>
      run(() => verify(candidate.hash, candidate.password)),
  }
}

function createQueue() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) {
        throw new AppError('unavailable', 'Too many sign-ins at the same moment. Try again shortly.', {
          retryAfter: RETRY_AFTER_S,
        })
      }
      // The one who wakes us hands over its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
