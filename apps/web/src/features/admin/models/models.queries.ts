import {
  type CreateModelRequest,
  type CreateProviderRequest,
  type ListModelsRequest,
  type ManagedModel,
  managedModel,
  modelAccess,
  modelProvider,
  modelTest,
  modelUse,
  providerModels,
  replacedKey,
  type UpdateModelRequest,
  type UpdateProviderRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../../lib/api-client.ts'

const PROVIDERS = '/api/admin/providers'
const MODELS = '/api/admin/models'
const ACCESS = '/api/admin/model-access'
const REGISTRY = ['admin', 'models'] as const

/** Where models are asked; never a key. */
export const providersQuery = queryOptions({
  queryKey: [...REGISTRY, 'providers'],
  queryFn: ({ signal }) => read({ path: PROVIDERS, schema: z.array(modelProvider), signal }),
  gcTime: 0,
})

/** All models, in the order in which people see them. */
export const modelsQuery = queryOptions({
  queryKey: [...REGISTRY, 'all'],
  queryFn: ({ signal }) => read({ path: MODELS, schema: z.array(managedModel), signal }),
  gcTime: 0,
})

/** Who may use what. */
export const accessQuery = queryOptions({
  queryKey: [...REGISTRY, 'access'],
  queryFn: ({ signal }) => read({ path: ACCESS, schema: modelAccess, signal }),
  gcTime: 0,
})

/** What a model cost, and what asks for it; read each time it is shown. */
export function modelUseQuery(id: number) {
  return queryOptions({
    queryKey: ['admin', 'model-use', id],
    queryFn: ({ signal }) => read({ path: `${MODELS}/${id}/usage`, schema: modelUse, signal }),
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

export function useCreateProvider() {
  return useRegistryWrite((body: CreateProviderRequest) =>
    write({ method: 'POST', path: PROVIDERS, body, schema: modelProvider }),
  )
}

export function useUpdateProvider(id: number) {
  return useRegistryWrite((body: UpdateProviderRequest) =>
    write({ method: 'PATCH', path: `${PROVIDERS}/${id}`, body, schema: modelProvider }),
  )
}

/** Puts the key that waits in the other's place; `isConfirmed`: also where the provider does not take it. */
export function useReplaceKey(id: number) {
  return useRegistryWrite((isConfirmed: boolean) =>
    write({
      method: 'POST',
      path: `${PROVIDERS}/${id}/replace-key`,
      body: { isConfirmed },
      schema: replacedKey,
    }),
  )
}

/** Removes a provider with its models. */
export function useRemoveProvider() {
  return useRegistryWrite(async ({ id, models }: { id: number; models: readonly ManagedModel[] }) => {
    for (const model of models) await write({ method: 'DELETE', path: `${MODELS}/${model.id}` })
    await write({ method: 'DELETE', path: `${PROVIDERS}/${id}` })
  })
}

export function useCreateModel() {
  return useRegistryWrite((body: CreateModelRequest) =>
    write({ method: 'POST', path: MODELS, body, schema: managedModel }),
  )
}

/** Changes one model or, as an order does, several. */
export function useUpdateModels() {
  return useRegistryWrite(async (changes: readonly (UpdateModelRequest & { id: number })[]) => {
    for (const { id, ...body } of changes) {
      await write({ method: 'PATCH', path: `${MODELS}/${id}`, body, schema: managedModel })
    }
  })
}

export function useDeleteModel() {
  return useRegistryWrite((id: number) => write({ method: 'DELETE', path: `${MODELS}/${id}` }))
}

/** Gives a person a list of their own; null takes it away. */
export function useSetModelList() {
  return useRegistryWrite(({ userId, modelIds }: { userId: number; modelIds: number[] | null }) =>
    modelIds === null
      ? write({ method: 'DELETE', path: `${ACCESS}/${userId}` })
      : write({ method: 'PUT', path: `${ACCESS}/${userId}`, body: { modelIds }, schema: modelAccess }),
  )
}

/** What the provider says it has: one of the list by its id, or one that is not saved yet. */
export function useListModels() {
  return useMutation({
    mutationFn: (provider: number | ListModelsRequest) =>
      write({
        method: 'POST',
        path:
          typeof provider === 'number' ? `${PROVIDERS}/${provider}/list-models` : `${PROVIDERS}/list-models`,
        ...(typeof provider !== 'number' && { body: provider }),
        schema: providerModels,
      }),
    meta: { failure: false },
  })
}

/** Makes one short call of a model. */
export function testModel(alias: string) {
  return write({ method: 'POST', path: `${MODELS}/${alias}/test`, schema: modelTest })
}
