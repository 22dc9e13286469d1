import {
  createProviderRequest,
  idParams,
  listModelsRequest,
  modelProvider,
  providerModels,
  replacedKey,
  replaceKeyRequest,
  updateProviderRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { ModelsDeps } from './models-deps.ts'
import { listModelsAt, listModelsOf, replaceKey } from './operations/ask-provider.ts'
import {
  changeProvider,
  createProvider,
  deleteProvider,
  readProviders,
} from './operations/change-provider.ts'

const PATH = '/api/admin/providers'
const tags = ['models']
const errors = errorReplies(401, 403, 404, 409)

/** Where models are asked; no reply has a key. */
export function providersRoutes(deps: ModelsDeps): Routes {
  return (app) => {
    changeRoutes(app, deps)
    askRoutes(app, deps)
  }
}

function changeRoutes(app: HttpApp, deps: ModelsDeps): void {
  app.get(
    PATH,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Where models are asked',
        description: 'Shows the last four characters of each key, and no more.',
        response: { 200: z.array(modelProvider), ...errorReplies(401, 403) },
      },
    },
    () => readProviders(deps),
  )

  app.post(
    PATH,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Add a provider',
        description: 'Its key is sealed when it is saved.',
        body: createProviderRequest,
        response: { 201: modelProvider, ...errors },
      },
    },
    async (request, reply) => {
      const added = await createProvider(deps, { fields: request.body, user: await requireAdmin(request) })
      return reply.code(201).send(added)
    },
  )

  app.patch(
    `${PATH}/:id`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Change a provider',
        description:
          'An address of another origin takes its keys away. Those of the environment stay as they are.',
        params: idParams,
        body: updateProviderRequest,
        response: { 200: modelProvider, ...errors },
      },
    },
    async (request) =>
      changeProvider(deps, { ...request.params, fields: request.body, user: await requireAdmin(request) }),
  )

  defineDeleteRoute<z.output<typeof idParams>>(app, `${PATH}/:id`, {
    tags,
    summary: 'Remove a provider that has no models',
    params: idParams,
    errors,
    isAdminOnly: true,
    remove: async (call) => deleteProvider(deps, { ...call.params, user: await requireAdmin(call) }),
  })
}

function askRoutes(app: HttpApp, deps: ModelsDeps): void {
  app.post(
    `${PATH}/:id/replace-key`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Put the new key of a provider in the place of the other',
        description:
          'The provider is asked for its models with it. Only if it answers is the other gone, or if confirmed.',
        params: idParams,
        body: replaceKeyRequest,
        response: { 200: replacedKey, ...errors },
      },
    },
    async (request) =>
      replaceKey(deps, { ...request.params, ...request.body, user: await requireAdmin(request) }),
  )

  app.post(
    `${PATH}/:id/list-models`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Ask a provider which models it has',
        description: 'An answer that fails is a result, with a sentence.',
        params: idParams,
        body: z.strictObject({}).nullish(),
        response: { 200: providerModels, ...errors },
      },
    },
    (request) => listModelsOf(deps, request.params.id),
  )

  app.post(
    `${PATH}/list-models`,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Ask a provider that is not saved yet which models it has',
        body: listModelsRequest,
        response: { 200: providerModels, ...errors },
      },
    },
    (request) => listModelsAt(deps, request.body),
  )
}
