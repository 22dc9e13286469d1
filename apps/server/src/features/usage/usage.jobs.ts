import type { BudgetState, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { createUsageService } from './usage.service.ts'
import { createUsageRunsService } from './usage-runs.service.ts'

/** Each time writes: an instance that rests is to rest. */
const INTERVAL_SECONDS = 300

interface UsageJobsDeps {
  db: Database
  jobs: Jobs
  log: Log
  now: () => Date
  findBudget: (user: Pick<User, 'id'> | null) => Promise<BudgetState | null>
}

/** Every five minutes what has ended is added to the sums, in one process of all. */
export function usageJobs({ jobs, ...deps }: UsageJobsDeps) {
  const queue = jobs.queue('usage')
  const usage = createUsageService(deps)
  queue.work({ repeatSeconds: INTERVAL_SECONDS, handle: ({ signal }) => usage.addToSums({ signal }) })
  return {
    usage,
    usageRuns: createUsageRunsService({ db: deps.db, usage }),

    /** Sees to it that there is a next time. */
    begin: () => queue.send(deps.db, { key: 'newest', payload: {} }),
  }
}
