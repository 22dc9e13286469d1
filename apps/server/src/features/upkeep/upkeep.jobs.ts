import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { UpkeepService } from './upkeep.service.ts'

const HOURLY = '7 * * * *'

/** Upkeep each hour, in one process of all; the result sends one now, at the start. */
export function upkeepJobs({ jobs, upkeep, log }: { jobs: Jobs; upkeep: UpkeepService; log: Log }) {
  const queue = jobs.define<object>({ name: 'upkeep', retryLimit: 0, expireSeconds: 600 })
  queue.repeat({ cron: HOURLY, data: {} })
  queue.work({ handle: async () => log.info(await upkeep.run(), 'upkeep') })
  return {
    // Processes that start together need it once.
    sendNow: () => queue.send({ data: {}, singletonKey: 'start', singletonSeconds: 60 }),
  }
}
