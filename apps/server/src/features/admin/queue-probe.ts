import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'

const POLL_MS = 20

/** Sends a job; the result tells whether any process runs it within that time. */
export function createQueueProbe({ db, jobs }: { db: Database; jobs: Jobs }) {
  const queue = jobs.queue('probe')
  queue.work({ handle: async () => undefined })
  return async ({ timeoutMs }: { timeoutMs: number }): Promise<boolean> => {
    if (!jobs.started) throw new Error('jobs have not been started')
    const key = randomUUID()
    const deadline = performance.now() + timeoutMs
    await queue.send(db, { key, payload: {} })
    while (await queue.has(db, key)) {
      if (performance.now() > deadline) {
        await queue.remove(db, key)
        return false
      }
      await sleep(POLL_MS)
    }
    return true
  }
}
