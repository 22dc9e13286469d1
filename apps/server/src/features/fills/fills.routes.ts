import { fillsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { Fills } from './fills.service.ts'

export const fillsRoutes = ({ fills }: { fills: Fills }): Routes =>
  handlers(fillsApi, { 'POST /api/private-names': (_, { body, user }) => fills.find({ ...body, user }) })
