import { AppError } from '../errors.ts'
import { QueuePlace } from './queue-place.ts'

const WAITING = 100
/** Calls that would wait longer for what others want are refused. */
const WAIT_MAX_MS = 10_000
/** What a caller may use in a burst, such as opening page after page. */
const BURST_SECONDS = 10
const DEBT_MAX_SECONDS = 30
/** The most that one call counts for: beyond, something else delayed it. */
const CALL_MAX_MS = 5_000
/** One concurrent call per so much of the share: a page makes half a dozen calls when it opens. */
const PLACE_MS = 125
const ALONE_PLACES = 8

interface Caller {
  share: number
  underWay: number
  waiting: Set<QueuePlace>
  /** The time its calls took while others were there, less what has been repaid since. */
  usedMs: number
  repaidAt: number
  timer: NodeJS.Timeout | undefined
}

const RETRY_AFTER_S = 5
const FORGET_EVERY_MS = 60_000

interface Acquire {
  /** What the caller's calls may take in the long run, in milliseconds a second. */
  share: number
  signal?: AbortSignal
}

/**
 * Shares the time of calls among callers, so that none uses up the processor and the database. A share counts only while
 * others are there: then a caller is charged their part of the time, and once they are over their share, those
 * within theirs go first. What nobody else wants is neither charged nor refused.
 */
export class RateLimiter {
  readonly #callers = new Map<string, Caller>()
  readonly #present = new Set<Caller>()
  readonly #forgetting: NodeJS.Timeout
  readonly #silentMs: () => number
  #underWay = 0
  /** What a call that is under way since the beginning would have been charged. */
  #chargedMs = 0
  #chargedAt: number

  /** `silentMs`: total time without any answer of the database, which counts as nobody's use. */
  constructor({ silentMs = () => 0 }: { silentMs?: () => number } = {}) {
    this.#silentMs = silentMs
    this.#chargedAt = this.#now()
    this.#forgetting = setInterval(() => this.#forget(), FORGET_EVERY_MS).unref()
  }

  /** Resolves when the caller may go on; the result ends the call, and may be called twice. */
  async acquire(caller: string, { share, signal }: Acquire): Promise<() => void> {
    const line = this.#callerOf(caller)
    line.share = Math.max(1, share)
    this.#charge()
    if (line.waiting.size >= WAITING || this.#isHopeless(line)) throw tooMany(line)
    const place = new QueuePlace({
      signal,
      toRefusal: () => tooMany(line),
      onGivenUp: () => this.#leave(line, place),
    })
    line.waiting.add(place)
    this.#present.add(line)
    this.#serveAll()
    const late = this.#refuseLate(line, place)
    await place.granted.finally(() => clearInterval(late))
    return this.#begin(line)
  }

  addUse(caller: string, ms: number): void {
    const line = this.#callers.get(caller)
    if (line !== undefined && this.#isAnother(line, () => true)) this.#use(line, ms)
  }

  close(): void {
    clearInterval(this.#forgetting)
    for (const { timer } of this.#callers.values()) clearTimeout(timer)
  }

  /** Time in which the database answers. */
  readonly #now = (): number => performance.now() - this.#silentMs()

  /** The time since the last charge is of all calls that were under way, in equal parts. */
  #charge(): void {
    const now = this.#now()
    if (this.#present.size > 1 && this.#underWay > 0) {
      this.#chargedMs += Math.max(0, now - this.#chargedAt) / this.#underWay
    }
    this.#chargedAt = now
    for (const line of this.#present) repay(line)
  }

  #begin(line: Caller): () => void {
    const start = this.#chargedMs
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.#charge()
      line.underWay -= 1
      this.#underWay -= 1
      this.#use(line, Math.min(this.#chargedMs - start, CALL_MAX_MS))
      this.#forgetAbsent(line)
      this.#serveAll()
    }
  }

  #use(line: Caller, ms: number): void {
    line.usedMs = Math.min(line.usedMs + ms, (BURST_SECONDS + DEBT_MAX_SECONDS) * line.share)
  }

  #callerOf(caller: string): Caller {
    const known = this.#callers.get(caller)
    if (known) {
      repay(known)
      return known
    }
    const line: Caller = {
      share: 1,
      underWay: 0,
      waiting: new Set(),
      usedMs: 0,
      repaidAt: performance.now(),
      timer: undefined,
    }
    this.#callers.set(caller, line)
    return line
  }

  #isAnother(line: Caller, is: (other: Caller) => boolean): boolean {
    for (const other of this.#present) if (other !== line && is(other)) return true
    return false
  }

  #isWantedByOthers(line: Caller): boolean {
    return this.#isAnother(line, (other) => owedMs(other) <= 0)
  }

  #isHopeless(line: Caller): boolean {
    return owedMs(line) > WAIT_MAX_MS && this.#isWantedByOthers(line)
  }

  /** Those within their share first; then, of what they leave, those who are over theirs, the least first. */
  #serveAll(): void {
    for (const line of this.#present) this.#serve(line)
    const over = [...this.#present].filter(({ waiting }) => waiting.size > 0)
    for (const line of over.sort((a, b) => owedMs(a) - owedMs(b))) this.#serveSpare(line)
  }

  #serve(line: Caller): void {
    const places = Math.max(1, line.share / PLACE_MS)
    for (const place of line.waiting) {
      if (line.underWay >= places) return
      const owed = owedMs(line)
      if (owed > 0) {
        this.#serveLater(line, owed)
        return
      }
      this.#start(line, place)
    }
  }

  #serveLater(line: Caller, ms: number): void {
    line.timer ??= setTimeout(() => {
      line.timer = undefined
      this.#charge()
      this.#serveAll()
    }, ms)
  }

  #serveSpare(line: Caller): void {
    for (const place of line.waiting) {
      if (line.underWay >= ALONE_PLACES || this.#isWantedByOthers(line)) return
      if (line.underWay > 0 && this.#isAnother(line, () => true)) return
      this.#start(line, place)
    }
  }

  #start(line: Caller, place: QueuePlace): void {
    this.#charge()
    line.waiting.delete(place)
    line.underWay += 1
    this.#underWay += 1
    place.start()
  }

  #leave(line: Caller, place: QueuePlace): void {
    line.waiting.delete(place)
    this.#charge()
    this.#forgetAbsent(line)
    this.#serveAll()
  }

  #refuseLate(line: Caller, place: QueuePlace): NodeJS.Timeout {
    return setInterval(() => {
      if (owedMs(line) <= 0 || !this.#isWantedByOthers(line)) return
      place.refuse(tooMany(line))
      this.#leave(line, place)
    }, WAIT_MAX_MS)
  }

  #forgetAbsent(line: Caller): void {
    if (line.underWay === 0 && line.waiting.size === 0) this.#present.delete(line)
  }

  #forget(): void {
    for (const [caller, line] of this.#callers) {
      repay(line)
      if (!this.#present.has(line) && line.usedMs === 0) this.#callers.delete(caller)
    }
  }
}

/** A debt is repaid by the time that passes. */
function repay(line: Caller): void {
  const now = performance.now()
  line.usedMs = Math.max(0, line.usedMs - ((now - line.repaidAt) / 1_000) * line.share)
  line.repaidAt = now
}

const owedMs = ({ usedMs, share }: Caller): number => (usedMs / share - BURST_SECONDS) * 1_000

function tooMany(line: Caller): AppError {
  const retryAfter = Math.max(RETRY_AFTER_S, Math.ceil(owedMs(line) / 1_000))
  const message = `Others are waiting, and you have used your share. Try again in ${retryAfter} s, one call at a time.`
  return new AppError('too_many', message, { retryAfter })
}
