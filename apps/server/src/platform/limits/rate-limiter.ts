import { AppError } from '../../errors.ts'
import { QueuePlace } from './queue-place.ts'

/** The most waiting calls; the next is refused. */
const WAITING = 100
/** Calls that would wait longer are refused. */
const WAIT_MAX_MS = 10_000
/** What a caller may use in a burst, such as opening page after page. */
const BURST_SECONDS = 10
/** The largest debt. */
const DEBT_MAX_SECONDS = 30
/** The most that one call counts for: beyond, something else delayed it. */
const CALL_MAX_MS = 5_000
/** One concurrent call per so much of the share: a page makes half a dozen calls when it opens. */
const PLACE_MS = 125

interface Caller {
  /** In milliseconds a second. */
  share: number
  underWay: number
  waiting: Set<QueuePlace>
  /** The time its calls took, less what has been repaid since. */
  usedMs: number
  countedAt: number
  timer: NodeJS.Timeout | undefined
}

const RETRY_AFTER_S = 5
const FORGET_EVERY_MS = 60_000

interface Acquire {
  /** What the caller's calls may take in the long run, in milliseconds a second. */
  share: number
  /** The caller has left. */
  signal?: AbortSignal
}

/** Limits the time that each caller's calls may take, so that no caller uses up the processor and the database. */
export class RateLimiter {
  readonly #callers = new Map<string, Caller>()
  readonly #forgetting: NodeJS.Timeout
  readonly #silentMs: () => number

  /** `silentMs`: total time without any answer of the database, which counts as nobody's use. */
  constructor({ silentMs = () => 0 }: { silentMs?: () => number } = {}) {
    this.#silentMs = silentMs
    this.#forgetting = setInterval(() => this.#forget(), FORGET_EVERY_MS).unref()
  }

  /** Resolves when the caller may go on; the result ends the call, and may be called twice. */
  async acquire(caller: string, { share, signal }: Acquire): Promise<() => void> {
    const line = this.#callerOf(caller)
    line.share = Math.max(1, share)
    this.#settle(line)
    if (line.waiting.size >= WAITING || owedMs(line) > WAIT_MAX_MS) throw tooMany(line)
    const place = new QueuePlace({
      limitMs: WAIT_MAX_MS,
      toRefusal: () => tooMany(line),
      signal,
      onGivenUp: () => line.waiting.delete(place),
    })
    line.waiting.add(place)
    this.#serve(line)
    await place.granted
    return this.#begin(line)
  }

  close(): void {
    clearInterval(this.#forgetting)
    for (const { timer } of this.#callers.values()) clearTimeout(timer)
  }

  #begin(line: Caller): () => void {
    const usedOf = () => performance.now() - this.#silentMs()
    const start = usedOf()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      line.underWay -= 1
      this.#settle(line)
      const costMs = Math.min(Math.max(0, usedOf() - start), CALL_MAX_MS)
      line.usedMs = Math.min(line.usedMs + costMs, (BURST_SECONDS + DEBT_MAX_SECONDS) * line.share)
      this.#serve(line)
    }
  }

  #callerOf(caller: string): Caller {
    const known = this.#callers.get(caller)
    if (known) return known
    const line: Caller = {
      share: 1,
      underWay: 0,
      waiting: new Set(),
      usedMs: 0,
      countedAt: performance.now(),
      timer: undefined,
    }
    this.#callers.set(caller, line)
    return line
  }

  #serve(line: Caller): void {
    this.#settle(line)
    const places = Math.max(1, line.share / PLACE_MS)
    for (const place of line.waiting) {
      if (line.underWay >= places || line.timer !== undefined) return
      const owed = owedMs(line)
      if (owed > 0) {
        line.timer = setTimeout(() => {
          line.timer = undefined
          this.#serve(line)
        }, owed)
        return
      }
      line.underWay += 1
      line.waiting.delete(place)
      place.start()
    }
  }

  #settle(line: Caller): void {
    const now = performance.now()
    line.usedMs = Math.max(0, line.usedMs - ((now - line.countedAt) / 1_000) * line.share)
    line.countedAt = now
  }

  /** Drops callers without running calls or debt. */
  #forget(): void {
    for (const [caller, line] of this.#callers) {
      this.#settle(line)
      if (line.underWay === 0 && line.waiting.size === 0 && line.usedMs === 0) this.#callers.delete(caller)
    }
  }
}

/** Until the caller may go on. */
const owedMs = ({ usedMs, share }: Caller): number => (usedMs / share - BURST_SECONDS) * 1_000

function tooMany(line: Caller): AppError {
  const retryAfter = Math.max(RETRY_AFTER_S, Math.ceil(owedMs(line) / 1_000))
  const message = `Your earlier calls have taken all of your share. Try again in ${retryAfter} s, one after the other.`
  return new AppError('too_many', message, { retryAfter })
}
