import { usageApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { UsageService } from './usage.service.ts'
import type { UsageRunsService } from './usage-runs.service.ts'

/** The outcome and cost of runs. */
export const usageRoutes = ({
  usage,
  usageRuns,
}: {
  usage: UsageService
  usageRuns: UsageRunsService
}): Routes =>
  handlers(usageApi, {
    'GET /api/usage': (_, { user, query }) => usage.report({ user, query }),
    'GET /api/usage/budget': async (_, { user }) => ({ budget: await usage.budgetOf(user) }),
    'GET /api/usage/runs': (_, { user, query }) => usageRuns.list({ user, query }),
    'GET /api/usage/versions': (_, { user, query }) => usageRuns.versions({ user, ...query }),
  })
