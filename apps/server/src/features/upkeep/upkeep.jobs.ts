import type { Database } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { UpkeepService } from './upkeep.service.ts'

const HOUR_SECONDS = 3_600

interface UpkeepJobsDeps {
  db: Database
  jobs: Jobs
  upkeep: UpkeepService
  log: Log
}

/** Hourly cleanup, in one process at a time; the result schedules the first one. */
export function upkeepJobs({ db, jobs, upkeep, log }: UpkeepJobsDeps) {
  const queue = jobs.queue('upkeep')
  queue.work({ repeatSeconds: HOUR_SECONDS, handle: async () => log.info(await upkeep.run(), 'upkeep') })
  return { begin: () => queue.send(db, { key: 'hourly', payload: {} }) }
}
