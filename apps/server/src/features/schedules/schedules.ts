import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { Runs } from '../runs/runs.ts'
import { handleRunEnd } from './operations/end-occurrence.ts'
import { deleteOldOccurrences, readSchedulerState } from './operations/scheduler-state.ts'
import { createScheduleQueues, RUN_SUBSCRIBER } from './schedule-queues.ts'
import { scheduleJobs } from './schedules.jobs.ts'
import { scheduleMetrics } from './schedules.metrics.ts'
import { schedulesRoutes } from './schedules.routes.ts'
import type { SchedulesDeps } from './schedules-deps.ts'

interface Features extends Pick<SchedulesDeps, 'chains' | 'webhooks'> {
  runs: Pick<Runs, 'chainRuns' | 'find' | 'onRunEnded'>
}

export type SchedulesService = ReturnType<typeof createSchedules>['service']

/** Runs of chains at the times that a person sets (ADR 016). */
export function createSchedules(ctx: Context<Database>, { chains, runs, webhooks }: Features) {
  const { db, jobs, metrics, now, settings } = ctx
  const deps: SchedulesDeps = {
    ctx,
    db,
    now,
    publicUrl: settings.publicUrl,
    chains,
    chainRuns: runs.chainRuns,
    runs,
    webhooks,
    queues: createScheduleQueues({ jobs }),
    observeLateness: metrics?.scheduleStarted,
  }
  scheduleJobs(deps)
  if (metrics !== undefined) scheduleMetrics(deps, metrics)
  runs.onRunEnded({ subscriber: RUN_SUBSCRIBER, handle: (end) => handleRunEnd(deps, end) })

  return {
    routes: schedulesRoutes(deps),
    service: {
      readState: () => readSchedulerState(deps),
      deleteOldOccurrences: () => deleteOldOccurrences(deps),
    },
  }
}
