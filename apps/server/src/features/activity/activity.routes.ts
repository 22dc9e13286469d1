import { activityApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { WorkService } from './work.service.ts'

export const activityRoutes = ({ work }: { work: WorkService }): Routes =>
  handlers(activityApi, {
    'GET /api/admin/activity': () => work.read(),
    'POST /api/admin/activity/runs/{id}/stop': (_, { params, user }) => work.stopRun({ ...params, user }),
  })
