import { findFillsRequest, foundFills } from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { Fills } from './fills.service.ts'

export function fillsRoutes({ fills }: { fills: Fills }): Routes {
  return (app) => {
    app.post(
      '/api/private-names',
      {
        config: { writes: 'unlimited' },
        schema: {
          tags: ['variables'],
          summary: 'Which of your private values those prompts and chains would be filled with',
          description:
            'Changes nothing. Prompts that steps are linked to and parts of skills are counted in. What somebody else ' +
            'brought into a text is filled in by consent only; a form shows it before a token or a schedule is made.',
          body: findFillsRequest,
          response: { 200: foundFills },
        },
      },
      async (request) => fills.find({ ...request.body, user: await requireUser(request) }),
    )
  }
}
