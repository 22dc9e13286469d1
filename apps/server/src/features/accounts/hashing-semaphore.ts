import { availableParallelism } from 'node:os'
import { AppError } from '../../errors.ts'
import { QueuePlace } from '../../platform/limits/queue-place.ts'

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
  /** The waiting places of each caller, in the order they will be served. */
  const queues = new Map<string, QueuePlace[]>()
  let running = 0
  let waiting = 0

  /** Makes room for one more in this queue: the longest queue loses its last place, unless it is this one. */
  function makeRoom(queue: QueuePlace[]): void {
    if (waiting < maxWaiting) return
    const longest = [...queues.values()].reduce((left, right) => (right.length > left.length ? right : left))
    const last = longest.length > queue.length + 1 ? longest.pop() : undefined
    if (last === undefined) throw tooManyAtOnce()
    waiting -= 1
    last.refuse(tooManyAtOnce())
  }

  async function take(who: string): Promise<void> {
    if (running < maxRunning) {
      running += 1
      return
    }
    const line = queues.get(who) ?? []
    makeRoom(line)
    waiting += 1
    queues.set(who, line)
    const place = new QueuePlace({
      ...{ limitMs: maxWaitMs, toRefusal: tooManyAtOnce },
      onGivenUp: () => {
        line.splice(line.indexOf(place), 1)
        if (line.length === 0) queues.delete(who)
        waiting -= 1
      },
    })
    line.push(place)
    // The finished hash hands over its permit, so `running` stays as it is.
    await place.granted
  }

  function handOver(): void {
    const [first] = queues
    if (first === undefined) {
      running -= 1
      return
    }
    const [who, line] = first
    queues.delete(who)
    const next = line.shift()
    if (line.length > 0) queues.set(who, line)
    waiting -= 1
    next?.start()
  }

  return async <T>(who: string, work: () => Promise<T>): Promise<T> => {
    await take(who)
    try {
      return await work()
    } finally {
      handOver()
    }
  }
}

function tooManyAtOnce(): AppError {
  return new AppError('unavailable', 'Too many sign-ins at once. Try again shortly.', {
    retryAfter: RETRY_AFTER_S,
  })
}
