import {
  type CreateModelRequest,
  type CreateProviderRequest,
  type EnvironmentAlias,
  type ManagedModel,
  MODELS,
  type ModelProvider,
  type ModelTest,
  managedModel,
  modelAccess,
  modelProvider,
  modelTest,
  modelUse,
  type ProviderModels,
  providerModels,
  replacedKey,
  type UpdateModelRequest,
  type UpdateProviderRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../../lib/api.ts'
import { refusedFields } from '../../../lib/forms/form-failure.ts'

const REGISTRY = ['admin', 'models'] as const

export const providersQuery = queryOptions({
  queryKey: [...REGISTRY, 'providers'],
  queryFn: ({ signal }) => api('GET /api/admin/providers', { reply: z.array(modelProvider), signal }),
  gcTime: 0,
})

export const modelsQuery = queryOptions({
  queryKey: [...REGISTRY, 'all'],
  queryFn: ({ signal }) => api('GET /api/admin/models', { reply: z.array(managedModel), signal }),
  gcTime: 0,
})

export const accessQuery = queryOptions({
  queryKey: [...REGISTRY, 'access'],
  queryFn: ({ signal }) => api('GET /api/admin/model-access', { reply: modelAccess, signal }),
  gcTime: 0,
})

export function modelUseQuery(id: number) {
  return queryOptions({
    queryKey: ['admin', 'model-use', id],
    queryFn: ({ signal }) =>
      api('GET /api/admin/models/{id}/usage', { params: { id }, reply: modelUse, signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** A write after which the registry is read anew, and the models that the app offers. The caller tells the person about a failure. */
function useRegistryWrite<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    meta: { failure: false },
    // Also after a failure: some of it may have been done.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['instance'] })
      return client.invalidateQueries({ queryKey: REGISTRY })
    },
  })
}

export function useUpdateProvider(id: number) {
  return useRegistryWrite((body: UpdateProviderRequest) =>
    api('PATCH /api/admin/providers/{id}', { params: { id }, body, reply: modelProvider }),
  )
}

/** Puts the key that waits in the other's place; `isConfirmed`: also where the provider does not take it. */
export function useReplaceKey(id: number) {
  return useRegistryWrite((isConfirmed: boolean) =>
    api('POST /api/admin/providers/{id}/replace-key', {
      params: { id },
      body: { isConfirmed },
      reply: replacedKey,
    }),
  )
}

export function useRemoveProvider() {
  return useRegistryWrite(async ({ id, models }: { id: number; models: readonly ManagedModel[] }) => {
    for (const model of models) await api('DELETE /api/admin/models/{id}', { params: { id: model.id } })
    await api('DELETE /api/admin/providers/{id}', { params: { id } })
  })
}

export function useCreateModel() {
  return useRegistryWrite((body: CreateModelRequest) =>
    api('POST /api/admin/models', { body, created: managedModel }),
  )
}

interface AddedModels {
  added: ManagedModel[]
  refused: { modelId: string; error: unknown }[]
}

/** Adds one after the other. What is refused by itself keeps none of the others back. */
export function useCreateModels() {
  return useRegistryWrite(async (wanted: readonly CreateModelRequest[]): Promise<AddedModels> => {
    const added: ManagedModel[] = []
    const refused: AddedModels['refused'] = []
    for (const body of wanted) {
      try {
        added.push(await api('POST /api/admin/models', { body, created: managedModel }))
      } catch (error) {
        refused.push({ modelId: body.modelId, error })
        if (refusedFields(error).length === 0) break
      }
    }
    return { added, refused }
  })
}

export function useUpdateModels() {
  return useRegistryWrite(async (changes: readonly (UpdateModelRequest & { id: number })[]) => {
    for (const { id, ...body } of changes) {
      await api('PATCH /api/admin/models/{id}', { params: { id }, body, reply: managedModel })
    }
  })
}

export function useDeleteModel() {
  return useRegistryWrite((id: number) => api('DELETE /api/admin/models/{id}', { params: { id } }))
}

/** A person has a list in place of everyone's, a group one beside it. */
export type ListOwner = { userId: number } | { groupId: number }

export function useSetModelList() {
  return useRegistryWrite(({ of, modelIds }: { of: ListOwner; modelIds: number[] | null }) => {
    if ('userId' in of) {
      return modelIds === null
        ? api('DELETE /api/admin/model-access/{userId}', { params: of })
        : api('PUT /api/admin/model-access/{userId}', {
            params: of,
            body: { modelIds },
            reply: modelAccess,
          })
    }
    const params = { id: of.groupId }
    return modelIds === null
      ? api('DELETE /api/admin/groups/{id}/models', { params })
      : api('PUT /api/admin/groups/{id}/models', { params, body: { modelIds }, reply: modelAccess })
  })
}

export function useListModels() {
  return useMutation({
    mutationFn: (id: number) =>
      api('POST /api/admin/providers/{id}/list-models', { params: { id }, reply: providerModels }),
    meta: { failure: false },
  })
}

export class NotTakenError extends Error {}

/** What came of it: the provider, and its usual model with how that answered, where it had no key before. */
export interface AddedProvider {
  provider: ModelProvider
  usual?: { model: ManagedModel; test: ModelTest }
  /** What it has; undefined where it was not asked. */
  found?: ProviderModels | undefined
}

/** Adds a provider that names its models when asked with its key, and lets the vendor's usual model use it where that has no other. */
export function useAddProvider() {
  return useRegistryWrite(
    async ({
      wanted,
      isSure,
    }: {
      wanted: CreateProviderRequest
      isSure: boolean
    }): Promise<AddedProvider> => {
      const { name, ...asked } = wanted
      const found = isSure
        ? undefined
        : await api('POST /api/admin/providers/list-models', { body: asked, reply: providerModels })
      if (found?.ok === false) throw new NotTakenError(found.error ?? `${name} does not answer.`)
      const provider = await api('POST /api/admin/providers', { body: wanted, created: modelProvider })
      const models = await api('GET /api/admin/models', { reply: z.array(managedModel) })
      const usual = models.find((model) => isUsualModel(model, wanted))
      if (usual === undefined) return { provider, found }
      const model = await api('PATCH /api/admin/models/{id}', {
        params: { id: usual.id },
        body: { providerId: provider.id },
        reply: managedModel,
      })
      return { provider, usual: { model, test: await testModel(model.alias) }, found }
    },
  )
}

function isUsualModel(
  { alias, isFromEnvironment, configured }: ManagedModel,
  { kind }: Pick<CreateProviderRequest, 'kind'>,
): boolean {
  const known: Partial<Record<string, (typeof MODELS)[EnvironmentAlias]>> = MODELS
  return isFromEnvironment && !configured && known[alias]?.kind === kind
}

export function testModel(alias: string) {
  return api('POST /api/admin/models/{model}/test', { params: { model: alias }, reply: modelTest })
}
