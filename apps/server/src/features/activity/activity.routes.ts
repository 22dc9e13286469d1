import { activity, idParams, noContent } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { WorkService } from './work.service.ts'

const tags = ['admin']

export function activityRoutes({ work }: { work: WorkService }): Routes {
  return (app) => {
    app.get(
      '/api/admin/activity',
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'What the installation is doing now',
          description:
            'Runs, jobs, statements and processes. It holds no texts, and no names of prompts and chains.',
          response: { 200: activity, ...errorReplies(401, 403) },
        },
      },
      () => work.read(),
    )

    app.post(
      '/api/admin/activity/runs/:id/stop',
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Stop anyone’s run; the stop is recorded',
          params: idParams,
          response: { 204: noContent, ...errorReplies(401, 403, 404) },
        },
      },
      async (request, reply) => {
        await work.stopRun({ id: request.params.id, user: await requireAdmin(request) })
        return reply.code(204).send()
      },
    )
  }
}
