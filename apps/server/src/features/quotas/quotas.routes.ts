import { quotasApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { QuotasService } from './quotas.service.ts'

/** How much one person may take, for admins. */
export const quotasRoutes = ({ quotas }: { quotas: QuotasService }): Routes =>
  handlers(quotasApi, {
    'GET /api/admin/users/{id}/quotas': (_, { params }) => quotas.list(params.id),
    'PATCH /api/admin/users/{id}/quotas': (_, { params, body, user }) =>
      quotas.update({ ...params, actor: user, change: body }),
  })
