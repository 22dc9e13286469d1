import { idParams, listQuery, variableUsage, variableUsageCount } from '@catenary/contracts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { HttpApp } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { VariablesService } from './variables.service.ts'

const usageList = defineListReply(variableUsageCount)

const MEANING =
  "A reference means an own variable, else a public one, an admin's first, then the oldest; in whatever case."

export function usageRoutes(app: HttpApp, variables: VariablesService): void {
  app.get(
    '/api/variables/usage',
    {
      schema: {
        tags: ['variables'],
        summary: 'In how many of the visible prompts and chains the variables are meant',
        description: MEANING,
        querystring: listQuery,
        response: { 200: usageList.schema },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return usageList.send(reply, await variables.countUsage({ user, query: request.query }))
    },
  )

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
