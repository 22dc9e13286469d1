import type { Platform } from '../../platform/platform.ts'
import type { BudgetsService } from '../budgets/budgets.ts'
import type { Runs } from '../runs/runs.ts'
import { activityMetrics } from './activity.metrics.ts'
import { activityRoutes } from './activity.routes.ts'
import { createWorkService } from './work.service.ts'

interface Features {
  budgets: Pick<BudgetsService, 'find'>
  runs: Pick<Runs, 'stop'>
}

/** What the whole installation is doing now, for who watches it. */
export function createActivity(
  { database, db, disk, jobs, metrics }: Pick<Platform, 'database' | 'db' | 'disk' | 'jobs' | 'metrics'>,
  { budgets, runs }: Features,
) {
  const work = createWorkService({ db, kind: database.kind, readQueues: jobs.readQueues, runs })
  if (metrics !== undefined) activityMetrics({ budgets, disk, jobs, work }, metrics)
  return { routes: [activityRoutes({ work })] }
}
