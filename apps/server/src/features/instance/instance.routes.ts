import { instanceApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { InstanceService } from './instance.service.ts'

export const instanceRoutes = ({ instance }: { instance: InstanceService }): Routes =>
  handlers(instanceApi, { 'GET /api/instance': (_, { user }) => instance.describe(user) })
