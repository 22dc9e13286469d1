interface PlaceOptions {
  /** After so long it is given up; by default never. */
  limitMs?: number
  /** What it is given up with. */
  toRefusal?: () => Error
  /** Aborts when the caller leaves. */
  signal?: AbortSignal | undefined
  /** Called when it is given up, for any reason. */
  onGivenUp: () => void
}

/** A place in a queue: it waits for a bounded time, until the caller leaves. */
export class QueuePlace {
  /** Resolves with the turn; rejects once the place is given up. */
  readonly granted: Promise<void>
  readonly #settle: PromiseWithResolvers<void>
  readonly #stop = new AbortController()

  constructor({ limitMs, toRefusal = hasLeft, signal, onGivenUp }: PlaceOptions) {
    this.#settle = Promise.withResolvers<void>()
    this.granted = this.#settle.promise
    const giveUp = () => {
      this.refuse(toRefusal())
      onGivenUp()
    }
    const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
    this.#stop.signal.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', giveUp, { once: true, signal: this.#stop.signal })
  }

  start(): void {
    this.#stop.abort()
    this.#settle.resolve()
  }

  refuse(reason: Error): void {
    this.#stop.abort()
    this.#settle.reject(reason)
  }
}

const hasLeft = () => new Error('The caller has left')
