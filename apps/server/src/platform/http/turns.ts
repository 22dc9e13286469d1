import { AppError } from '../../errors.ts'

/** Calls that wait; the next is refused. */
const WAITING = 100
/** What a caller may have at once, as someone does who opens page after page. */
const BURST_SECONDS = 10
/** Of what may be had in a second, so much is a place: a page asks for half a dozen things when it opens. */
const PLACE_MS = 125

interface Line {
  /** In milliseconds a second. */
  share: number
  underWay: number
  waiting: (() => void)[]
  /** What its calls took, less what time has made up for. */
  usedMs: number
  countedAt: number
  timer: NodeJS.Timeout | undefined
}

const RETRY_AFTER_S = 5
const FORGET_EVERY_MS = 60_000

/** Gives each caller's calls their turns, so that nobody has all of the processor and of the database. */
export class Turns {
  readonly #lines = new Map<string, Line>()
  readonly #forgetting: NodeJS.Timeout

  constructor() {
    this.#forgetting = setInterval(() => this.#forget(), FORGET_EVERY_MS).unref()
  }

  /**
   * Resolves when it is the caller's turn, whose calls may take so many milliseconds a second in the long run; what it
   * gives ends that turn, and may be called twice.
   */
  async take(caller: string, share: number): Promise<() => void> {
    const line = this.#lineOf(caller)
    line.share = Math.max(1, share)
    if (line.waiting.length >= WAITING) {
      const message = 'Too many of your calls wait already. Ask for one thing after the other.'
      throw new AppError('too_many', message, { retryAfter: RETRY_AFTER_S })
    }
    const turn = new Promise<void>((resolve) => line.waiting.push(resolve))
    this.#serve(line)
    await turn
    const start = performance.now()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      line.underWay -= 1
      this.#settle(line)
      line.usedMs += performance.now() - start
      this.#serve(line)
    }
  }

  close(): void {
    clearInterval(this.#forgetting)
    for (const { timer } of this.#lines.values()) clearTimeout(timer)
  }

  #lineOf(caller: string): Line {
    const known = this.#lines.get(caller)
    if (known) return known
    const line: Line = {
      share: 1,
      underWay: 0,
      waiting: [],
      usedMs: 0,
      countedAt: performance.now(),
      timer: undefined,
    }
    this.#lines.set(caller, line)
    return line
  }

  #serve(line: Line): void {
    this.#settle(line)
    const places = Math.max(1, line.share / PLACE_MS)
    while (line.waiting.length > 0 && line.underWay < places && line.timer === undefined) {
      const owedMs = (line.usedMs / line.share - BURST_SECONDS) * 1_000
      if (owedMs <= 0) {
        line.underWay += 1
        line.waiting.shift()?.()
      } else {
        line.timer = setTimeout(() => {
          line.timer = undefined
          this.#serve(line)
        }, owedMs)
      }
    }
  }

  #settle(line: Line): void {
    const now = performance.now()
    line.usedMs = Math.max(0, line.usedMs - ((now - line.countedAt) / 1_000) * line.share)
    line.countedAt = now
  }

  /** Who has nothing under way and owes nothing is as good as unknown. */
  #forget(): void {
    for (const [caller, line] of this.#lines) {
      this.#settle(line)
      if (line.underWay === 0 && line.waiting.length === 0 && line.usedMs === 0) this.#lines.delete(caller)
    }
  }
}
