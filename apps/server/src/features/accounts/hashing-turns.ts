import { availableParallelism } from 'node:os'
import { AppError } from '../../errors.ts'
import { WaitingPlace } from '../../waiting-place.ts'

/** Hashing fills a core each: one is left to those who are signed in, and one of Node's four threads to files. */
const MAX_RUNNING = Math.min(3, Math.max(1, availableParallelism() - 1))
/** About a second of hashing. */
const MAX_WAITING = 40
/** A wait gets longer only when something else delays the running hashes. */
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_S = 5

/** Runs few hashes at a time, round robin over callers; throws `unavailable` when too many wait, or one waits too long. */
export function createHashingTurns({
  maxRunning = MAX_RUNNING,
  maxWaiting = MAX_WAITING,
  maxWaitMs = MAX_WAIT_MS,
} = {}) {
  /** The waiting places of each caller, in the order they will be served. */
  const lines = new Map<string, WaitingPlace[]>()
  let running = 0
  let waiting = 0

  /** Makes room for one more of this line: the longest gives way, unless it is this one. */
  function makeRoom(line: WaitingPlace[]): void {
    if (waiting < maxWaiting) return
    const longest = [...lines.values()].reduce((left, right) => (right.length > left.length ? right : left))
    const last = longest.length > line.length + 1 ? longest.pop() : undefined
    if (last === undefined) throw tooManyAtOnce()
    waiting -= 1
    last.refuse(tooManyAtOnce())
  }

  async function take(who: string): Promise<void> {
    if (running < maxRunning) {
      running += 1
      return
    }
    const line = lines.get(who) ?? []
    makeRoom(line)
    waiting += 1
    lines.set(who, line)
    const place = new WaitingPlace({
      ...{ limitMs: maxWaitMs, toRefusal: tooManyAtOnce },
      onGivenUp: () => {
        line.splice(line.indexOf(place), 1)
        if (line.length === 0) lines.delete(who)
        waiting -= 1
      },
    })
    line.push(place)
    // The one who wakes us hands over its place, so `running` stays as it is.
    await place.turn
  }

  function handOver(): void {
    const [turn] = lines
    if (turn === undefined) {
      running -= 1
      return
    }
    const [who, line] = turn
    lines.delete(who)
    const next = line.shift()
    if (line.length > 0) lines.set(who, line)
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
