import { setTimeout as delay } from 'node:timers/promises'
import { ServerFailureError } from '../failures/server-failure.ts'
import type { DatabaseLog } from '../signals/database-log.ts'

interface AwaitOptions<T> {
  open: () => Promise<T>
  waitMs: number
  log: DatabaseLog
}

/** Between two tries: a database that restarts is back in seconds, one whose machine boots is not. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 10_000]

export async function awaitServer<T>({ open, waitMs, log }: AwaitOptions<T>): Promise<T> {
  const start = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof ServerFailureError && error.passes)) throw error
      const left = waitMs - (performance.now() - start)
      // A timer may be early by a part of one.
      if (left < 1) throw error
      log.warn({}, `${error.message} Trying again for another ${Math.ceil(left / 1000)} s`)
      await delay(Math.min(pause, left))
    }
  }
}
