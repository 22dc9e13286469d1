import { activityApi } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { countRunsHere } from '../runs/runs.ts'
import { watchActivity } from './activity.metrics.ts'
import { readActivity, stopRun } from './watch-work.ts'

/** Has each process say how many runs and jobs it has, and measures over all of them. */
export function beginActivity(ctx: Context): void {
  const { jobs, metrics, processes } = ctx
  processes.countBy({ runs: () => countRunsHere(ctx), jobs: jobs.countHere })
  if (metrics !== undefined) watchActivity(ctx, metrics)
}

/** What the whole installation is doing now, for who watches it. */
export const serveActivity = handlers(activityApi, {
  'GET /api/admin/activity': readActivity,
  'POST /api/admin/activity/runs/{id}/stop': (ctx, { params, user }) => stopRun(ctx, { ...params, user }),
})
