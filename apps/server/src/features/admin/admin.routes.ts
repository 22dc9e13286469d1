import { adminApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ChecksService } from './checks.service.ts'
import type { DebugModeService } from './debug-mode.service.ts'

interface AdminRoutesDeps {
  debugMode: DebugModeService
  checks: ChecksService
}

/** What only admins may do. */
export const adminRoutes = ({ debugMode, checks }: AdminRoutesDeps): Routes =>
  handlers(adminApi, {
    'GET /api/admin/debug-mode': async () => ({ debugMode: await debugMode.read() }),
    'POST /api/admin/debug-mode': async (_, { body, user }) => ({
      debugMode: await debugMode.set({ ...body, user }),
    }),
    'GET /api/admin/checks': () => checks.list(),
    'GET /api/admin/checks/{name}': (_, { params }) => checks.run(params.name),
  })
