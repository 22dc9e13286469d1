import { idParams, personQuota, updateQuotasRequest } from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { QuotasService } from './quotas.service.ts'

const tags = ['admin']
const path = '/api/admin/users/:id/quotas'
const response = { 200: z.array(personQuota), ...errorReplies(401, 403, 404) }

/** How much one person may take, for admins. */
export function quotasRoutes({ quotas }: { quotas: QuotasService }): Routes {
  return (app) => {
    app.get(
      path,
      {
        ...adminOnly,
        schema: { tags, summary: 'What a person has, and may have', params: idParams, response },
      },
      (request) => quotas.list(request.params.id),
    )

    app.patch(
      path,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Set limits for a person',
          description: 'People over a limit keep what they have, but can’t add more.',
          params: idParams,
          body: updateQuotasRequest,
          response,
        },
      },
      async (request) => {
        const actor = await requireAdmin(request)
        return quotas.update({ id: request.params.id, actor, change: request.body })
      },
    )
  }
}
