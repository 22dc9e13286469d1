import { retentionApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { RetentionService } from './retention.service.ts'

export const retentionRoutes = ({ retention }: { retention: RetentionService }): Routes =>
  handlers(retentionApi, {
    'GET /api/admin/retention': () => retention.read(),
    'PUT /api/admin/retention': (_, { body, user }) => retention.save({ wanted: body, user }),
  })
