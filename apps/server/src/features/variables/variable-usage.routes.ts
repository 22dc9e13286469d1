import { idParams, variableUsage, variableUsageCount } from '@catenary/contracts'
import * as z from 'zod'
import type { HttpApp } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { VariablesService } from './variables.service.ts'

const MEANING = 'A reference means an own variable, else the oldest public one; in whatever case.'

export function usageRoutes(app: HttpApp, variables: VariablesService): void {
  app.get(
    '/api/variables/usage',
    {
      schema: {
        tags: ['variables'],
        summary: 'In how many of the visible prompts and chains the variables are meant',
        description: MEANING,
        response: { 200: z.array(variableUsageCount) },
      },
    },
    async (request) => variables.countUsage(await requireUser(request)),
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
