import type { Platform } from '../../platform/platform.ts'
import { retentionRoutes } from './retention.routes.ts'
import { createRetentionService } from './retention.service.ts'

const HOUR_SECONDS = 3_600
const KEY = 'hourly'

/** How long runs, their texts and keys are kept: each hour, and once that changes, what is past its time is deleted. */
export function createRetention({ db, jobs, now }: Pick<Platform, 'db' | 'jobs' | 'now'>) {
  const queue = jobs.queue('retention')
  const retention = createRetentionService({
    db,
    now,
    runNow: async (tx) => {
      await queue.remove(tx, KEY)
      await queue.send(tx, { key: KEY, payload: {} })
    },
  })
  queue.work({
    repeatSeconds: HOUR_SECONDS,
    atStart: KEY,
    handle: ({ signal }) => retention.deleteOld({ signal }),
  })
  return { routes: [retentionRoutes({ retention })] }
}
