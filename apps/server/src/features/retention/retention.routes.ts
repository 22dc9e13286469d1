import { retentionSettings, retentionState } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { RetentionService } from './retention.service.ts'

const PATH = '/api/admin/retention'
const tags = ['admin']
const response = { 200: retentionState, ...errorReplies(401, 403) }

export function retentionRoutes({ retention }: { retention: RetentionService }): Routes {
  return (app) => {
    app.get(
      PATH,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'How long runs, their texts and keys are kept, and how large they are',
          response,
        },
      },
      () => retention.read(),
    )

    app.put(
      PATH,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Set how long runs, their texts and keys are kept',
          description:
            'What is past its time is deleted for good, in the background, and each hour from then on.',
          body: retentionSettings,
          response,
        },
      },
      async (request) => retention.save({ wanted: request.body, user: await requireAdmin(request) }),
    )
  }
}
