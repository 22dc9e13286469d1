import { quotasApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { listQuotas, updateQuotas } from './person-quotas.ts'

export { beginQuotas, boundsOf, explainQuota, type Spent, spentInMonth } from './person-quotas.ts'

/** How much one person may keep, do and spend, for admins. */
export const serveQuotas = handlers(quotasApi, {
  'GET /api/admin/users/{id}/quotas': (ctx, { params }) => listQuotas(ctx, params.id),
  'PATCH /api/admin/users/{id}/quotas': (ctx, { params, body, user }) =>
    updateQuotas(ctx, { ...params, user, change: body }),
})
