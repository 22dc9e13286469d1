import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { RateWindows } from '../../limits/rate-windows.ts'

type Count = Parameters<Parameters<FastifyRateLimitStore['incr']>[1]>

/** The plugin's own store gives simultaneous calls the count of all of them. */
export class RateLimitStore implements FastifyRateLimitStore {
  readonly #windows = new RateWindows<string>()

  incr(key: string, callback: (...count: Count) => void, windowMs: number) {
    callback(null, this.#windows.add({ key, windowMs }))
  }

  child() {
    return new RateLimitStore()
  }
}
