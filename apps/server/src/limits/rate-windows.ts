const CAPACITY = 5_000

interface Addition<Key> {
  key: Key
  windowMs: number
  weight?: number
  most?: number
}

export class RateWindows<Key> {
  readonly #windows = new Map<Key, { count: number; endsAt: number }>()
  readonly #capacity: number
  readonly #now: () => number

  /** `capacity`: how many keys are remembered; `now`: milliseconds. */
  constructor({ capacity = CAPACITY, now = () => performance.now() } = {}) {
    this.#capacity = capacity
    this.#now = now
  }

  /** How much has come in the window, this included, and when the window ends, in milliseconds. */
  add({ key, windowMs, weight = 1, most = Number.POSITIVE_INFINITY }: Addition<Key>): {
    current: number
    ttl: number
  } {
    const now = this.#now()
    let window = this.#windows.get(key)
    // A window that ends later than one that begins now is of a clock that was set back.
    if (window === undefined || window.endsAt <= now || window.endsAt > now + windowMs) {
      window = { count: 0, endsAt: now + windowMs }
      this.#windows.delete(key)
      this.#windows.set(key, window)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size > this.#capacity && oldest !== undefined) this.#windows.delete(oldest)
    }
    const current = window.count + weight
    if (current <= most) window.count = current
    return { current, ttl: window.endsAt - now }
  }
}
