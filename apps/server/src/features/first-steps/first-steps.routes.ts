import { firstSteps } from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { FirstStepsService } from './first-steps.service.ts'

const PATH = '/api/first-steps'
const tags = ['accounts']

export function firstStepsRoutes({ steps }: { steps: FirstStepsService }): Routes {
  return (app) => {
    app.get(
      PATH,
      {
        schema: {
          tags,
          summary: 'What the caller has done of the first steps',
          description: 'Told by what there is: runs, chains, calls with tokens.',
          response: { 200: firstSteps, ...errorReplies(401) },
        },
      },
      async (request) => steps.find(await requireUser(request)),
    )

    defineDeleteRoute(app, PATH, {
      tags,
      summary: 'Put the first steps away, for good',
      errors: errorReplies(401),
      remove: async (call) => steps.end(await requireUser(call)),
    })
  }
}
