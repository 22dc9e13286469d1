import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { CreateWindows } from '../../../limits/windows.ts'

type Incr = FastifyRateLimitStore['incr']

interface Limit {
  groupId?: string
  routeInfo?: { method?: string | string[]; url?: string }
}

/** A store for the plugin, whose own gives simultaneous calls the count of all of them, and knows one process. */
export function createRateLimitStore(createWindows: CreateWindows) {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly #windows

    constructor({ groupId, routeInfo }: Limit) {
      this.#windows = createWindows({ name: groupId ?? `${routeInfo?.method} ${routeInfo?.url}` })
    }

    incr(key: string, callback: Parameters<Incr>[1], windowMs: number, limit: number) {
      this.#windows.add({ key, windowMs, limit }).then(
        (state) => callback(null, state),
        (error: Error) => callback(error),
      )
    }

    /** What the plugin's types leave out: it is given the limit's options, with its route where it has one. */
    child(limit: object) {
      return new RateLimitStore(limit)
    }
  }
}
