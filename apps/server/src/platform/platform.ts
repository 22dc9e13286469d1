import type { Database } from '../db/executor.ts'
import type { Settings } from '../settings.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'

/** What every feature may build on; each names the parts that it takes. */
export interface Platform {
  settings: Settings & { secretKey: string }
  db: Database
  jobs: Jobs
  log: Log
  /** Absent where nobody asks for metrics. */
  metrics: Metrics | undefined
  /** The clock, which tests set. */
  now: () => Date
}
