import { quotasApi, usageApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { listRunsOfUsage, measureVersions } from './list-usage-runs.ts'
import { listGroupQuotas, listQuotas, updateGroupQuotas, updateQuotas } from './person-quotas.ts'
import { findBudget } from './read-budgets.ts'
import { reportUsage } from './report-usage.ts'

export { limitedModels } from './limit-spending.ts'
export { beginQuotas, boundsOf, explainQuota } from './person-quotas.ts'
export { findBudget, findBudgetRefusal } from './read-budgets.ts'
export { workUsage } from './report-usage.ts'
export { budgetRunEnds } from './tell-budget.ts'

const serveQuotas = handlers(quotasApi, {
  'GET /api/admin/users/{id}/quotas': (ctx, { params }) => listQuotas(ctx, params.id),
  'PATCH /api/admin/users/{id}/quotas': (ctx, { params, body }) =>
    updateQuotas(ctx, { ...params, change: body }),
  'GET /api/admin/groups/{id}/quotas': (ctx, { params }) => listGroupQuotas(ctx, params.id),
  'PATCH /api/admin/groups/{id}/quotas': (ctx, { params, body }) =>
    updateGroupQuotas(ctx, { ...params, change: body }),
})

const serveUsage = handlers(usageApi, {
  'GET /api/usage': reportUsage,
  'GET /api/usage/budget': async (ctx, { user }) => ({ budget: await findBudget(ctx, user) }),
  'GET /api/usage/runs': listRunsOfUsage,
  'GET /api/usage/versions': measureVersions,
})

export const serveSpending = [serveQuotas, serveUsage]
