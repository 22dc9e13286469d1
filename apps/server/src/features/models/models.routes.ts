import { modelsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
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

interface ModelsRoutesDeps {
  access: Pick<ModelAccess, 'listFor'>
  lists: ModelLists
  deps: ModelsDeps
  tests: ModelTestsService
}

/** The models to choose from, and for admins how they are asked and by whom. */
export const modelsRoutes = ({ access, deps, lists, tests }: ModelsRoutesDeps): Routes =>
  handlers(modelsApi, {
    'GET /api/models': (_, { user }) => access.listFor(user),
    'GET /api/admin/models': () => readModels(deps),
    'POST /api/admin/models': (_, { body, user }) => createModel(deps, { fields: body, user }),
    'PATCH /api/admin/models/{id}': (_, { params, body, user }) =>
      changeModel(deps, { ...params, fields: body, user }),
    'DELETE /api/admin/models/{id}': (_, { params, user }) => deleteModel(deps, { ...params, user }),
    'GET /api/admin/models/{id}/usage': (_, { params }) => readUse(deps, params.id),
    'POST /api/admin/models/{model}/test': async (_, { params: { model } }) =>
      tests.test(typeof model === 'number' ? (await findModel(deps, model)).alias : model),
    'GET /api/admin/model-access': () => lists.read(),
    'PUT /api/admin/model-access/{userId}': (_, { params, body, user }) =>
      lists.set({ ...params, ...body, user }),
    'DELETE /api/admin/model-access/{userId}': (_, { params, user }) => lists.remove({ ...params, user }),
  })
