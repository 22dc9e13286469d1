import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from './database-failure.ts'

const FIRST_WAIT_MS = 50
const LAST_WAIT_MS = 1_000
/** By then the lease is long gone. */
const GIVE_UP_MS = 120_000

/** Tries again while the database is away; the write must be safe to repeat. */
export async function retryWhileUnavailable<T>(
  operation: () => Promise<T>,
  { closing }: { closing: AbortSignal | undefined },
) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LAST_WAIT_MS)) {
    try {
      return await operation()
    } catch (error) {
      if (!isOutage(error) || closing?.aborted || performance.now() > giveUpAt) throw error
      await delay(wait, undefined, { signal: closing }).catch(() => undefined)
    }
  }
}
