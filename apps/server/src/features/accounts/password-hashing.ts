import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../errors.ts'
import { FairSemaphore } from '../../limits/fair-semaphore.ts'

/** Argon2id, which is the library's default algorithm, at OWASP's cost: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each call keeps a core busy for a while: callers wait for a permit first. */
export const passwordHashing = {
  hash: (password: string): Promise<string> => hash(password, COST),
  verify: (candidate: { hash: string; password: string }): Promise<boolean> =>
    verify(candidate.hash, candidate.password),
}

/** Hashing fills a core each: one is left to those who are signed in, and one of Node's four threads to files. */
const MAX_RUNNING = Math.min(3, Math.max(1, availableParallelism() - 1))
/** About a second of hashing. */
const MAX_WAITING = 40
/** A wait gets longer only when something else delays the running hashes. */
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_S = 5

/** Runs few hashes at a time, round robin over callers; throws `unavailable` when too many wait, or one waits too long. */
export function createHashingSemaphore({
  maxRunning = MAX_RUNNING,
  maxWaiting = MAX_WAITING,
  maxWaitMs = MAX_WAIT_MS,
} = {}) {
  const semaphore = new FairSemaphore<string>(maxRunning, {
    most: maxRunning,
    order: 'roundRobin',
    queue: { most: maxWaiting, limitMs: maxWaitMs, toRefusal: tooManyAtOnce },
  })
  return <T>(who: string, work: () => Promise<T>): Promise<T> => semaphore.run(who, work)
}

function tooManyAtOnce(): AppError {
  return new AppError('unavailable', 'Too many sign-ins at once. Try again shortly.', {
    retryAfter: RETRY_AFTER_S,
  })
}
