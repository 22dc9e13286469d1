import {
  idParams,
  listedVariable,
  listVariablesByTagsQuery,
  listVariablesQuery,
  saveVariableRequest,
  variable,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import { usageRoutes } from './variable-usage.routes.ts'
import { valueRoutes } from './variable-values.routes.ts'
import type { VariableValues } from './variable-values-deps.ts'
import type { VariablesService } from './variables.service.ts'

const NAME_TAKEN = '409 when the owner has a variable of that name without regard to case.'

export function variablesRoutes({
  variables,
  values,
}: {
  variables: VariablesService
  values: VariableValues
}): Routes {
  return (app) => {
    readRoutes(app, variables)
    valueRoutes(app, values)
    usageRoutes(app, variables)
    writeRoutes(app, variables)
  }
}

function readRoutes(app: HttpApp, variables: VariablesService): void {
  defineListRoute(app, '/api/variables', {
    tags: ['variables'],
    summary: 'The variables that the caller can see, by name',
    querystring: listVariablesQuery,
    item: listedVariable,
    read: async (call) => variables.list({ viewer: await optionalUser(call), query: call.query }),
  })

  defineListRoute(app, '/api/variables/by-tags', {
    tags: ['variables'],
    summary: 'The variables with any of the tags, by name',
    querystring: listVariablesByTagsQuery,
    item: listedVariable,
    read: async (call) => variables.list({ viewer: await optionalUser(call), query: call.query }),
  })

  app.get(
    '/api/variables/:id',
    {
      schema: {
        tags: ['variables'],
        summary: 'One variable',
        params: idParams,
        response: { 200: variable },
      },
    },
    async (request) => variables.find({ id: request.params.id, user: await optionalUser(request) }),
  )
}

function writeRoutes(app: HttpApp, variables: VariablesService): void {
  app.post(
    '/api/variables',
    {
      schema: {
        tags: ['variables'],
        summary: 'Create a variable',
        description: NAME_TAKEN,
        body: saveVariableRequest,
        response: { 201: variable },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { revision: _, renameReferences: __, ...fields } = request.body
      return reply.code(201).send(await variables.create({ fields, user }))
    },
  )

  app.patch(
    '/api/variables/:id',
    {
      schema: {
        tags: ['variables'],
        summary: 'Save a variable',
        description: `${NAME_TAKEN} 409 with the current variable as details when the revision is stale.`,
        params: idParams,
        body: saveVariableRequest,
        response: { 200: variable },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const { revision, renameReferences, ...fields } = request.body
      return variables.save({ id: request.params.id, user, revision, renameReferences, fields })
    },
  )

  defineDeleteRoute(app, '/api/variables/:id', {
    tags: ['variables'],
    summary: 'Delete a variable',
    params: idParams,
    remove: async (call) => variables.delete({ id: call.params.id, user: await requireUser(call) }),
  })
}
