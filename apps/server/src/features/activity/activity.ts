import type { Platform } from '../../platform/platform.ts'
import type { BudgetsService } from '../budgets/budgets.ts'
import type { Runs } from '../runs/runs.ts'
import { activityMetrics } from './activity.metrics.ts'
import { activityRoutes } from './activity.routes.ts'
import { createWorkService } from './work.service.ts'

type Parts = 'database' | 'db' | 'disk' | 'jobs' | 'metrics' | 'processes'

interface Features {
  budgets: Pick<BudgetsService, 'find'>
  runs: Pick<Runs, 'countHere' | 'stop'>
}

/** What the whole installation is doing now, for who watches it. */
export function createActivity(
  { database, db, disk, jobs, metrics, processes }: Pick<Platform, Parts>,
  { budgets, runs }: Features,
) {
  processes.countBy({ runs: runs.countHere, jobs: jobs.countHere })
  const work = createWorkService({ db, kind: database.kind, readQueues: jobs.readQueues, processes, runs })
  if (metrics !== undefined) activityMetrics({ budgets, disk, jobs, work }, metrics)
  return { routes: [activityRoutes({ work })] }
}
