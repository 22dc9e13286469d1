import { FairSemaphore } from '../../platform/limits/fair-semaphore.ts'

/** Fetches of one person under way at once, in this process: those of their runs and previews together. */
const FETCHES_AT_ONCE = 16

interface Fetching {
  userId: number
  signal: AbortSignal
}

/** Bounds each person's concurrent fetches: they wait for their own fetches, never for another person's. */
export function createFetchSemaphore() {
  const semaphore = new FairSemaphore<number>(Number.POSITIVE_INFINITY, { most: FETCHES_AT_ONCE })

  return async <T>({ userId, signal }: Fetching, fetch: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return semaphore.run(userId, fetch, signal)
  }
}
