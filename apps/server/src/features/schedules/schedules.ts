import { schedulerApi, schedulesApi } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { onRunEnded } from '../runs/runs.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './change-schedule.ts'
import { handleRunEnd } from './end-occurrence.ts'
import { findSchedule, listScheduledChains, listSchedules } from './read-schedules.ts'
import { runSchedule } from './run-schedule.ts'
import { RUN_SUBSCRIBER, scheduleQueues } from './schedule-queues.ts'
import { pauseSchedules, readSchedulerState } from './scheduler-state.ts'
import { scheduleMetrics } from './schedules.metrics.ts'
import { settleClock } from './settle-clock.ts'
import { startDue, startPending } from './start-occurrence.ts'

export { deleteOldOccurrences, readSchedulerState } from './scheduler-state.ts'

/** Runs of chains at the times that a person sets (ADR 016). */
export const serveSchedules = handlers(schedulesApi, {
  'POST /api/chains/{id}/schedule': (ctx, { params: { id: chainId }, body: fields, user }) =>
    createSchedule(ctx, { chainId, user, fields }),
  'GET /api/chains/{id}/scheduled-runs': (ctx, { params: { id: chainId }, query, user }) =>
    listSchedules(ctx, { chainId, user, query }),
  'GET /api/scheduled-chains': listScheduledChains,
  'GET /api/scheduled-runs/{id}': (ctx, { params, user }) => findSchedule(ctx, { ...params, user }),
  'PATCH /api/scheduled-runs/{id}': (ctx, { params, body: { revision, ...fields }, user }) =>
    updateSchedule(ctx, { ...params, user, revision, fields }),
  'DELETE /api/scheduled-runs/{id}': (ctx, { params, user }) => deleteSchedule(ctx, { ...params, user }),
  'POST /api/scheduled-runs/{id}/execute': (ctx, { params, user }) => runSchedule(ctx, { ...params, user }),
})

export const serveScheduler = handlers(schedulerApi, {
  'GET /api/admin/schedules': readSchedulerState,
  'POST /api/admin/schedules': (ctx, { body, user }) => pauseSchedules(ctx, { ...body, user }),
})

/** In each process. */
const DUE_AT_ONCE = 16
const CLOCK_SECONDS = 300

export function workSchedules(ctx: Context): void {
  const { due, clock, manual } = scheduleQueues(ctx)
  due.work({
    concurrency: DUE_AT_ONCE,
    handle: ({ payload: { scheduleId, dueAt } }) => startDue(ctx, { scheduleId, dueAt: new Date(dueAt) }),
  })
  clock.work({ repeatSeconds: CLOCK_SECONDS, atStart: 'clock', handle: () => settleClock(ctx) })
  manual.work({ handle: ({ payload }) => startPending(ctx, payload) })
  if (ctx.metrics !== undefined) scheduleMetrics(ctx, ctx.metrics)
  onRunEnded(ctx, { subscriber: RUN_SUBSCRIBER, handle: (end) => handleRunEnd(ctx, end) })
}
