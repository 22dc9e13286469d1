import type { Platform } from '../../platform/platform.ts'
import type { Runs } from '../runs/runs.ts'
import { handleRunEnd } from './operations/end-occurrence.ts'
import { deleteOldOccurrences, readSchedulerState } from './operations/scheduler-state.ts'
import { createScheduleQueues, RUN_SUBSCRIBER } from './schedule-queues.ts'
import { scheduleJobs } from './schedules.jobs.ts'
import { scheduleMetrics } from './schedules.metrics.ts'
import { schedulesRoutes } from './schedules.routes.ts'
import type { SchedulesDeps } from './schedules-deps.ts'

interface Features extends Pick<SchedulesDeps, 'chains' | 'mails' | 'webhooks'> {
  runs: Pick<Runs, 'chainRuns' | 'find' | 'onRunEnded'>
}

export type SchedulesService = ReturnType<typeof createSchedules>['service']

/** Runs of chains at the times that a person sets (ADR 016). */
export function createSchedules(
  { db, jobs, metrics, now, settings }: Pick<Platform, 'db' | 'jobs' | 'metrics' | 'now' | 'settings'>,
  { chains, runs, mails, webhooks }: Features,
) {
  const deps: SchedulesDeps = {
    db,
    now,
    publicUrl: settings.publicUrl,
    chains,
    chainRuns: runs.chainRuns,
    runs,
    mails,
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
