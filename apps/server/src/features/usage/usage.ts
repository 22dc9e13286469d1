import type { Platform } from '../../platform/platform.ts'
import { usageRoutes } from './usage.routes.ts'
import { createUsageService, type UsageDeps } from './usage.service.ts'
import { createUsageRunsService } from './usage-runs.service.ts'

/** Each time writes, and an idle instance should stay idle. */
const INTERVAL_SECONDS = 300

interface Features {
  budgets: { find: UsageDeps['findBudget'] }
}

/** The outcome and cost of runs: every five minutes what has ended is added to the sums, in one of all processes. */
export function createUsage(
  { db, jobs, log, now }: Pick<Platform, 'db' | 'jobs' | 'log' | 'now'>,
  { budgets }: Features,
) {
  const usage = createUsageService({ db, now, log, findBudget: budgets.find })
  jobs.queue('usage').work({
    repeatSeconds: INTERVAL_SECONDS,
    atStart: 'newest',
    handle: ({ signal }) => usage.addToSums({ signal }),
  })
  return { routes: [usageRoutes({ usage, usageRuns: createUsageRunsService({ db, usage }) })] }
}
