import { idParams, listQuery, variableUsage, variableUsageCount } from '@catenary/contracts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { VariablesService } from './variables.service.ts'

const MEANING =
  "A reference means an own variable, else a public one, an admin's first, then the oldest; in whatever case."

export function usageRoutes(app: HttpApp, variables: VariablesService): void {
  defineListRoute(app, '/api/variables/usage', {
    tags: ['variables'],
    summary:
      'In how many of your own prompts and chains, and chains shared with you, the variables are meant',
    description: MEANING,
    querystring: listQuery,
    item: variableUsageCount,
    read: async (call) => variables.countUsage({ user: await requireUser(call), query: call.query }),
  })

  app.get(
    '/api/variables/:id/usage',
    {
      schema: {
        tags: ['variables'],
        summary: 'The visible prompts and chains in which the variable is meant',
        description: MEANING,
        params: idParams,
        response: { 200: variableUsage },
      },
    },
    async (request) => variables.findUsage({ id: request.params.id, user: await requireUser(request) }),
  )
}
