export interface Addition {
  key: string | number
  windowMs: number
  weight?: number
  limit: number
  /** In the memory of one process, what is refused is not counted. */
  forgetsRefused?: boolean
}

export interface WindowState {
  current: number
  ttl: number
}

interface Windows {
  add(addition: Addition): Promise<WindowState>
}

interface WindowsOptions {
  /** Of what is counted; no two limits have the same. */
  name: string
  capacity?: number
  now?: () => number
}

export type CreateWindows = (options: WindowsOptions) => Windows

export const createOwnWindows: CreateWindows = ({ name: _name, ...options }) => {
  const windows = new RateWindows<string | number>(options)
  return {
    add: async ({ limit, forgetsRefused, ...added }) =>
      windows.add({ ...added, ...(forgetsRefused && { most: limit }) }),
  }
}

const CAPACITY = 5_000

interface Counted<Key> {
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
  add({ key, windowMs, weight = 1, most = Number.POSITIVE_INFINITY }: Counted<Key>): {
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
