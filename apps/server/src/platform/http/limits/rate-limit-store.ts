import type { FastifyRateLimitStore } from '@fastify/rate-limit'

type Count = Parameters<Parameters<FastifyRateLimitStore['incr']>[1]>

const MOST_KEYS = 5_000

/** Counts calls in windows of time. The plugin's own store shows calls of one moment the count of all of them. */
export class RateLimitStore implements FastifyRateLimitStore {
  /** The oldest window comes first. */
  readonly #windows = new Map<string, { count: number; endsAt: number }>()

  incr(key: string, callback: (...count: Count) => void, timeWindow: number) {
    callback(null, this.add({ key, timeWindow, weight: 1 }))
  }

  /** How much has come in the window, this included, and when the window ends, in milliseconds. */
  add({ key, timeWindow, weight }: { key: string; timeWindow: number; weight: number }): {
    current: number
    ttl: number
  } {
    const now = performance.now()
    let window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + timeWindow }
      this.#windows.delete(key)
      this.#windows.set(key, window)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size > MOST_KEYS && oldest !== undefined) this.#windows.delete(oldest)
    }
    window.count += weight
    return { current: window.count, ttl: window.endsAt - now }
  }

  child() {
    return new RateLimitStore()
  }
}
