/** Longer without an answer to a question that costs nothing, and the database answers nobody. */
const SILENT_MS = 1_000
const AWAY_MS = 3_000
const ASK_EVERY_MS = 500

interface PulseOptions {
  /** Whether anyone waits for the database: only then it is asked. */
  isWaitedFor: () => boolean
  /** Asks what takes no time; rejects where nothing was heard. */
  ask: () => Promise<unknown>
  now?: () => number
}

/** What is known of whether the database answers. */
export interface Pulse {
  /** It has answered nobody for a while. */
  isAway(): boolean
  /** For how long altogether it has answered nobody. */
  silentMs(): number
}

/** Watches whether a server that is waited for answers at all, which a long statement does not tell. */
export class ServerPulse implements Pulse {
  readonly #options: PulseOptions
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  /** Of the first question since the last answer. */
  #askedAt: number | undefined
  #isAsking = false
  #silentMs = 0

  constructor(options: PulseOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#timer = setInterval(() => this.#look(), ASK_EVERY_MS).unref()
  }

  isAway(): boolean {
    return this.#silence() >= AWAY_MS
  }

  silentMs(): number {
    return this.#silentMs + this.#counted()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #silence(): number {
    return this.#askedAt === undefined ? 0 : this.#now() - this.#askedAt
  }

  #counted(): number {
    const silence = this.#silence()
    return silence < SILENT_MS ? 0 : silence
  }

  #look(): void {
    if (this.#isAsking) return
    if (this.#askedAt === undefined) {
      if (!this.#options.isWaitedFor()) return
      this.#askedAt = this.#now()
    }
    this.#isAsking = true
    const settle = () => {
      this.#silentMs += this.#counted()
      this.#askedAt = undefined
    }
    void this.#options
      .ask()
      .then(settle, () => {})
      .finally(() => {
        this.#isAsking = false
      })
  }
}

/** Of a database in this process, which is away only when the process is. */
export const ownPulse: Pulse = { isAway: () => false, silentMs: () => 0 }
