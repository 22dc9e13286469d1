import {
  createModelRequest,
  idParams,
  managedModel,
  modelAccess,
  modelAccessParams,
  modelStatus,
  modelTest,
  modelTestParams,
  modelUse,
  setModelAccessRequest,
  updateModelRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { optionalUser, requireAdmin } from '../../platform/http/session.ts'
import type { ModelAccess } from './model-access.service.ts'
import type { ModelLists } from './model-lists.service.ts'
import type { ModelTestsService } from './model-tests.service.ts'
import type { ModelsDeps } from './models-deps.ts'
import {
  changeModel,
  createModel,
  deleteModel,
  findModel,
  readModels,
  readUse,
} from './operations/change-model.ts'

const PATH = '/api/admin/models'
const tags = ['models']
const refusals = errorReplies(401, 403)

interface ModelsRoutesDeps {
  access: Pick<ModelAccess, 'listFor'>
  lists: ModelLists
  deps: ModelsDeps
  tests: ModelTestsService
}

/** The models to choose from, and for admins how they are asked and by whom. */
export function modelsRoutes({ access, deps, lists, tests }: ModelsRoutesDeps): Routes {
  return (app) => {
    app.get(
      '/api/models',
      {
        schema: {
          tags,
          summary: 'The models that the caller may use, in order',
          response: { 200: z.array(modelStatus) },
        },
      },
      async (request) => access.listFor(await optionalUser(request)),
    )
    managedRoutes(app, deps)
    testRoute(app, { deps, tests })
    listRoutes(app, lists)
  }
}

function managedRoutes(app: HttpApp, deps: ModelsDeps): void {
  app.get(
    PATH,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'All models, in order',
        description: 'Those of the environment first, unless another order was set. Never shows a key.',
        response: { 200: z.array(managedModel), ...refusals },
      },
    },
    () => readModels(deps),
  )

  app.post(
    PATH,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Add a model',
        body: createModelRequest,
        response: { 201: managedModel, ...errorReplies(401, 403, 409) },
      },
    },
    async (request, reply) => {
      const added = await createModel(deps, { fields: request.body, user: await requireAdmin(request) })
      return reply.code(201).send(added)
    },
  )

  app.patch(
    `${PATH}/:id`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Change a model',
        description: 'A new price counts from now on: what earlier runs cost stays.',
        params: idParams,
        body: updateModelRequest,
        response: { 200: managedModel, ...errorReplies(401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params
      return changeModel(deps, { id, fields: request.body, user: await requireAdmin(request) })
    },
  )

  defineDeleteRoute<z.output<typeof idParams>>(app, `${PATH}/:id`, {
    tags,
    summary: 'Remove a model',
    description: 'Runs keep its name. What still asks for it fails and says so.',
    params: idParams,
    errors: errorReplies(401, 403, 404, 409),
    isAdminOnly: true,
    remove: async (call) => deleteModel(deps, { ...call.params, user: await requireAdmin(call) }),
  })

  app.get(
    `${PATH}/:id/usage`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'What a model cost, and how much asks for it',
        params: idParams,
        response: { 200: modelUse, ...errorReplies(401, 403, 404) },
      },
    },
    (request) => readUse(deps, request.params.id),
  )
}

function testRoute(app: HttpApp, { deps, tests }: Pick<ModelsRoutesDeps, 'deps' | 'tests'>): void {
  app.post(
    `${PATH}/:model/test`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Make one short call of a model',
        description: 'A call that fails is a result, with the reason.',
        params: modelTestParams,
        body: z.strictObject({}).nullish(),
        response: { 200: modelTest, ...errorReplies(401, 403, 404) },
      },
    },
    async (request) => {
      const { model } = request.params
      return tests.test(typeof model === 'number' ? (await findModel(deps, model)).alias : model)
    },
  )
}

function listRoutes(app: HttpApp, lists: ModelLists): void {
  const path = '/api/admin/model-access'
  const one = `${path}/:userId`
  const errors = errorReplies(401, 403, 404)

  app.get(
    path,
    {
      ...adminOnly,
      schema: { tags, summary: 'Who may use what', response: { 200: modelAccess, ...refusals } },
    },
    () => lists.read(),
  )

  app.put(
    one,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Give a person a list of models, in place of everyone’s',
        params: modelAccessParams,
        body: setModelAccessRequest,
        response: { 200: modelAccess, ...errors },
      },
    },
    async (request) => lists.set({ ...request.params, ...request.body, user: await requireAdmin(request) }),
  )

  defineDeleteRoute<z.output<typeof modelAccessParams>>(app, one, {
    tags,
    summary: 'Let a person use what everyone may',
    params: modelAccessParams,
    errors,
    isAdminOnly: true,
    remove: async (call) => lists.remove({ ...call.params, user: await requireAdmin(call) }),
  })
}
