import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/executor.ts'
import { createProbe, deleteProbe, existsProbe } from './admin.repository.ts'

const POLL_MS = 20

export type QueueProbesService = ReturnType<typeof createQueueProbesService>

/** Rows that a job deletes, whichever process runs it: one that is gone came through the queue. */
export function createQueueProbesService({ db }: { db: Database }) {
  return {
    async create(): Promise<string> {
      const id = randomUUID()
      await createProbe(db, id)
      return id
    },

    answer: (id: string): Promise<void> => deleteProbe(db, id),

    /** Whether it was answered in time; afterwards it is gone in any case. */
    async awaitAnswer({ id, timeoutMs }: { id: string; timeoutMs: number }): Promise<boolean> {
      const deadline = performance.now() + timeoutMs
      while (await existsProbe(db, id)) {
        if (performance.now() > deadline) {
          await deleteProbe(db, id)
          return false
        }
        await sleep(POLL_MS)
      }
      return true
    },
  }
}
