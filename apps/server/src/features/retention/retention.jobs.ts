import type { Database } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { createRetentionService } from './retention.service.ts'

const HOUR_SECONDS = 3_600
const KEY = 'hourly'

/** Each hour, and once the settings have changed, what is past its time is deleted, in one process of all. */
export function retentionJobs({ db, jobs, now }: { db: Database; jobs: Jobs; now: () => Date }) {
  const queue = jobs.queue('retention')
  const retention = createRetentionService({
    ...{ db, now },
    runNow: async (tx) => {
      await queue.remove(tx, KEY)
      await queue.send(tx, { key: KEY, payload: {} })
    },
  })
  queue.work({ repeatSeconds: HOUR_SECONDS, handle: ({ signal }) => retention.deleteOld({ signal }) })
  return {
    retention,

    /** Sees to it that there is a next time. */
    begin: () => queue.send(db, { key: KEY, payload: {} }),
  }
}
