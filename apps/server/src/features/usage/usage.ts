import { usageApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { findBudget } from '../budgets/budgets.ts'
import { listRunsOfUsage, measureVersions } from './list-usage-runs.ts'
import { reportUsage } from './report-usage.ts'

export { workUsage } from './report-usage.ts'

/** The outcome and cost of runs. */
export const serveUsage = handlers(usageApi, {
  'GET /api/usage': reportUsage,
  'GET /api/usage/budget': async (ctx, { user }) => ({ budget: await findBudget(ctx, user) }),
  'GET /api/usage/runs': listRunsOfUsage,
  'GET /api/usage/versions': measureVersions,
})
