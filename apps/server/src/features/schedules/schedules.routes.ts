import { schedulerApi, schedulesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './operations/change-schedule.ts'
import { findSchedule, listScheduledChains, listSchedules } from './operations/read-schedules.ts'
import { runSchedule } from './operations/run-schedule.ts'
import { pauseSchedules, readSchedulerState } from './operations/scheduler-state.ts'
import type { SchedulesDeps } from './schedules-deps.ts'

export const schedulesRoutes = (deps: SchedulesDeps): Routes[] => [
  handlers(schedulesApi, {
    'POST /api/chains/{id}/schedule': (_, { params: { id: chainId }, body: fields, user }) =>
      createSchedule(deps, { chainId, user, fields }),
    'GET /api/chains/{id}/scheduled-runs': (_, { params: { id: chainId }, query, user }) =>
      listSchedules(deps, { chainId, user, query }),
    'GET /api/scheduled-chains': (_, { user }) => listScheduledChains(deps, user),
    'GET /api/scheduled-runs/{id}': (_, { params, user }) => findSchedule(deps, { ...params, user }),
    'PATCH /api/scheduled-runs/{id}': (_, { params, body: { revision, ...fields }, user }) =>
      updateSchedule(deps, { ...params, user, revision, fields }),
    'DELETE /api/scheduled-runs/{id}': (_, { params, user }) => deleteSchedule(deps, { ...params, user }),
    'POST /api/scheduled-runs/{id}/execute': (_, { params, user }) => runSchedule(deps, { ...params, user }),
  }),
  handlers(schedulerApi, {
    'GET /api/admin/schedules': () => readSchedulerState(deps),
    'POST /api/admin/schedules': (_, { body, user }) => pauseSchedules(deps, { ...body, user }),
  }),
]
