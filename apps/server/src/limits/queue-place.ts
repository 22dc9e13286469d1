interface PlaceOptions {
  limitMs?: number
  toRefusal?: () => Error
  signal?: AbortSignal | undefined
  onGivenUp: () => void
}

export class QueuePlace {
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
