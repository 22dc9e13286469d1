import { firstStepsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { FirstStepsService } from './first-steps.service.ts'

export const firstStepsRoutes = ({ steps }: { steps: FirstStepsService }): Routes =>
  handlers(firstStepsApi, {
    'GET /api/first-steps': (_, { user }) => steps.find(user),
    'DELETE /api/first-steps': (_, { user }) => steps.end(user),
  })
