import { providersApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ModelsDeps } from './models-deps.ts'
import { listModelsAt, listModelsOf, replaceKey } from './operations/ask-provider.ts'
import {
  changeProvider,
  createProvider,
  deleteProvider,
  readProviders,
} from './operations/change-provider.ts'

/** Where models are asked; no reply has a key. */
export const providersRoutes = (deps: ModelsDeps): Routes =>
  handlers(providersApi, {
    'GET /api/admin/providers': () => readProviders(deps),
    'POST /api/admin/providers': (_, { body, user }) => createProvider(deps, { fields: body, user }),
    'PATCH /api/admin/providers/{id}': (_, { params, body, user }) =>
      changeProvider(deps, { ...params, fields: body, user }),
    'DELETE /api/admin/providers/{id}': (_, { params, user }) => deleteProvider(deps, { ...params, user }),
    'POST /api/admin/providers/{id}/replace-key': (_, { params, body, user }) =>
      replaceKey(deps, { ...params, ...body, user }),
    'POST /api/admin/providers/{id}/list-models': (_, { params }) => listModelsOf(deps, params.id),
    'POST /api/admin/providers/list-models': (_, { body }) => listModelsAt(deps, body),
  })
