import { modelsApi, providersApi } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { listModelsAt, listModelsOf, replaceKey } from './ask-provider.ts'
import { changeModel, createModel, deleteModel, findModel, readModels, readUse } from './change-model.ts'
import { changeProvider, createProvider, deleteProvider, readProviders } from './change-provider.ts'
import { listModelsFor } from './model-access.ts'
import {
  readModelLists,
  removeGroupModels,
  removeModelList,
  setGroupModels,
  setModelList,
} from './model-lists.ts'
import { modelSpending } from './model-spending.ts'
import { registry } from './registry.ts'
import { testModel } from './test-model.ts'

export {
  allowedModels,
  judgeAmong,
  listModelsFor,
  requireAllowedModels,
  requireChosenModels,
  requireKnownModel,
} from './model-access.ts'
export { sealedProviderKeys } from './sealed-keys.sql.ts'
export { testModel } from './test-model.ts'

export const beginRegistry = (ctx: Context): Promise<void> => registry(ctx).begin()

export const startRegistry = (ctx: Context): void => registry(ctx).start()

export async function closeRegistry(ctx: Context): Promise<void> {
  await Promise.all([registry(ctx).close(), modelSpending(ctx).close()])
}

export const serveModels = handlers(modelsApi, {
  'GET /api/models': (ctx, { user }) => listModelsFor(ctx, user),
  'GET /api/admin/models': readModels,
  'POST /api/admin/models': (ctx, { body }) => createModel(ctx, body),
  'PATCH /api/admin/models/{id}': (ctx, { params, body }) => changeModel(ctx, { ...params, fields: body }),
  'DELETE /api/admin/models/{id}': (ctx, { params }) => deleteModel(ctx, params),
  'GET /api/admin/models/{id}/usage': (ctx, { params }) => readUse(ctx, params.id),
  'POST /api/admin/models/{model}/test': async (ctx, { params: { model } }) =>
    testModel(ctx, typeof model === 'number' ? (await findModel(ctx, model)).alias : model),
  'GET /api/admin/model-access': readModelLists,
  'PUT /api/admin/model-access/{userId}': (ctx, { params, body }) =>
    setModelList(ctx, { ...params, ...body }),
  'DELETE /api/admin/model-access/{userId}': (ctx, { params }) => removeModelList(ctx, params.userId),
  'PUT /api/admin/groups/{id}/models': (ctx, { params, body }) =>
    setGroupModels(ctx, { groupId: params.id, ...body }),
  'DELETE /api/admin/groups/{id}/models': (ctx, { params }) => removeGroupModels(ctx, params.id),
})

export const serveProviders = handlers(providersApi, {
  'GET /api/admin/providers': readProviders,
  'POST /api/admin/providers': (ctx, { body, user }) => createProvider(ctx, { fields: body, user }),
  'PATCH /api/admin/providers/{id}': (ctx, { params, body }) =>
    changeProvider(ctx, { ...params, fields: body }),
  'DELETE /api/admin/providers/{id}': (ctx, { params }) => deleteProvider(ctx, params.id),
  'POST /api/admin/providers/{id}/replace-key': (ctx, { params, body }) =>
    replaceKey(ctx, { ...params, ...body }),
  'POST /api/admin/providers/{id}/list-models': (ctx, { params }) => listModelsOf(ctx, params.id),
  'POST /api/admin/providers/list-models': (ctx, { body }) => listModelsAt(ctx, body),
})
