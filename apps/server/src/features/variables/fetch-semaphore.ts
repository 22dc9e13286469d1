/** Fetches of one person under way at once, in this process: those of their runs and looks together. */
const FETCHES_AT_ONCE = 16

interface Permits {
  taken: number
  /** Callbacks that start the waiting fetches. */
  waiting: Set<() => void>
}

interface Fetching {
  userId: number
  signal: AbortSignal
}

/** Bounds each person's concurrent fetches: they wait for their own fetches, never for another person's. */
export function createFetchSemaphore({ atOnce = FETCHES_AT_ONCE } = {}) {
  const people = new Map<number, Permits>()

  async function take({ userId, signal }: Fetching): Promise<Permits> {
    signal.throwIfAborted()
    const slots = people.get(userId) ?? { taken: 0, waiting: new Set() }
    people.set(userId, slots)
    if (slots.taken < atOnce) {
      slots.taken += 1
      return slots
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        slots.waiting.delete(start)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const stop = () => {
        slots.waiting.delete(start)
        reject(signal.reason)
      }
      slots.waiting.add(start)
      signal.addEventListener('abort', stop, { once: true })
    })
    return slots
  }

  return async <T>(fetching: Fetching, fetch: () => Promise<T>): Promise<T> => {
    const slots = await take(fetching)
    try {
      return await fetch()
    } finally {
      const [next] = slots.waiting
      if (next === undefined) slots.taken -= 1
      else next()
      if (slots.taken === 0) people.delete(fetching.userId)
    }
  }
}
