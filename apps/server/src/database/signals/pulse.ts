const POLL_MS = 500
/** One that refuses is asked again so soon: calls are refused until it answers. */
const ASK_AGAIN_MS = 100
const SILENT_MS = 1_000
const AWAY_MS = 3_000

interface PulseOptions {
  /** Whether anyone is waiting for the database: it is polled only then. */
  isWaitedFor: () => boolean
  ask: () => Promise<unknown>
}

export interface Pulse {
  isAway(): boolean
  silentMs(): number
}

/**
 * Watches whether a server answers at all while something waits for it, which a long statement does not show. Silence
 * is counted in polls, so that a blocked thread of this process is not mistaken for it.
 */
export class ServerPulse implements Pulse {
  readonly #options: PulseOptions
  readonly #timer: NodeJS.Timeout
  #polls: number | undefined
  #isAsking = false
  #again: NodeJS.Timeout | undefined
  #silentMs = 0

  constructor(options: PulseOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref()
  }

  isAway(): boolean {
    return this.#silence() >= AWAY_MS
  }

  silentMs(): number {
    return this.#silentMs + this.#counted()
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#again)
    this.#polls = undefined
  }

  #silence(): number {
    return (this.#polls ?? 0) * POLL_MS
  }

  #counted(): number {
    const silence = this.#silence()
    return silence < SILENT_MS ? 0 : silence
  }

  #poll(): void {
    if (this.#polls !== undefined) this.#polls += 1
    else if (this.#options.isWaitedFor()) this.#polls = 0
    else return
    if (!this.#isAsking) void this.#ask()
  }

  async #askAgain(): Promise<void> {
    if (!this.#isAsking && this.#polls !== undefined) await this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      await this.#options.ask()
      this.#silentMs += this.#counted()
      this.#polls = undefined
    } catch {
      this.#again = setTimeout(() => void this.#askAgain(), ASK_AGAIN_MS).unref()
    } finally {
      this.#isAsking = false
    }
  }
}

/** For a database in this process, which is away only when the process is. */
export const ownPulse: Pulse = { isAway: () => false, silentMs: () => 0 }
