import {
  type CreateProviderRequest,
  type ModelProvider,
  PROVIDERS_MAX,
  type UpdateProviderRequest,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { KIND_ADDRESSES } from '../../../platform/models/default-models.ts'
import { refusalOfAddress } from '../../../platform/outbound/pool-connector.ts'
import {
  deleteProviderRow,
  insertProvider,
  insertRegistryEvent,
  listModels,
  listProviders,
  lockRegistry,
  type ProviderRow,
  updateProvider,
} from '../models.repository.ts'
import type { ModelsDeps, Wanted } from '../models-deps.ts'
import { sealKey } from '../provider-keys.ts'
import { isThere, viewOf } from '../provider-views.ts'

const NO_KEYS = { apiKey: null, apiKeyEnd: null, newApiKey: null, newApiKeyEnd: null }

export async function readProviders({ db, models }: ModelsDeps): Promise<ModelProvider[]> {
  return (await listProviders(db)).filter(isThere(models)).map((row) => viewOf(row, models))
}

/** Throws `not_found`. */
export async function findProvider({ db }: Pick<ModelsDeps, 'db'>, id: number): Promise<ProviderRow> {
  const found = (await listProviders(db)).find((row) => row.id === id)
  if (found === undefined) throw notFound()
  return found
}

/** Adds a provider, its key sealed. Throws `invalid` for an address that may not be asked. */
export async function createProvider(
  deps: ModelsDeps,
  { fields, user }: { fields: CreateProviderRequest; user: User },
): Promise<ModelProvider> {
  const { db, models, registry, secrets } = deps
  const { name, kind, apiKey, allowsPrivateAddress = false } = fields
  const baseUrl = requireAddress({ ...fields, allowsPrivateAddress })
  const id = await db.transaction(async (tx) => {
    await lockRegistry(tx)
    const before = await listProviders(tx)
    if (before.length >= PROVIDERS_MAX) {
      throw new AppError('conflict', `There are ${PROVIDERS_MAX} providers. Remove one to add another.`)
    }
    const added = await insertProvider(tx, { name, kind, baseUrl, allowsPrivateAddress, addedBy: user.id })
    if (apiKey !== undefined) {
      const key = sealKey(secrets, { id: added, baseUrl, key: apiKey, column: 'apiKey' })
      await updateProvider(tx, { id: added, ...key })
    }
    const event = { actorId: user.id, objectType: 'model_provider', objectId: added } as const
    const details = { name, kind, baseUrl, hasKey: apiKey !== undefined, allowsPrivateAddress }
    await insertRegistryEvent(tx, { ...event, action: 'model_provider.added', details })
    return added
  })
  await registry.refresh()
  return viewOf(await findProvider(deps, id), models)
}

/** Absent fields stay. Another origin takes the keys away (D67); a key beside another waits. */
export async function changeProvider(
  deps: ModelsDeps,
  { fields, ...wanted }: Wanted & { fields: UpdateProviderRequest },
): Promise<ModelProvider> {
  const { models, secrets } = deps
  await writeProvider(deps, { ...wanted, action: 'changed' }, async (tx, row) => {
    const { name, apiKey, allowsPrivateAddress = row.allowsPrivateAddress } = fields
    const { id, kind } = row
    const given = fields.baseUrl ?? row.baseUrl ?? undefined
    const baseUrl = requireAddress({ kind, baseUrl: given, allowsPrivateAddress })
    const isElsewhere = row.baseUrl === null || new URL(row.baseUrl).origin !== new URL(baseUrl).origin
    const takesKeys = isElsewhere || apiKey === null
    const column = takesKeys || row.apiKey === null ? 'apiKey' : 'newApiKey'
    await updateProvider(tx, {
      id,
      name,
      baseUrl,
      allowsPrivateAddress,
      ...(takesKeys ? NO_KEYS : {}),
      ...(apiKey ? sealKey(secrets, { id, baseUrl, key: apiKey, column }) : {}),
    })
    const key = apiKey === null ? 'removed' : apiKey === undefined ? undefined : 'given'
    return { name, baseUrl: fields.baseUrl, allowsPrivateAddress, key, keysCleared: isElsewhere || undefined }
  })
  return viewOf(await findProvider(deps, wanted.id), models)
}

/** Throws `conflict` while it has models. */
export function deleteProvider(deps: ModelsDeps, wanted: Wanted): Promise<void> {
  return writeProvider(deps, { ...wanted, action: 'removed' }, async (tx, { id, name }) => {
    const left = (await listModels(tx)).filter(({ providerId }) => providerId === id).length
    if (left > 0) {
      const many = left === 1 ? 'a model' : `${left} models`
      throw new AppError('conflict', `${name} has ${many}. Remove them before.`)
    }
    await deleteProviderRow(tx, id)
    return { name }
  })
}

/** Changes one provider; the calls that begin after it resolves know of it. Throws `conflict` for one of the environment. */
export async function writeProvider(
  { db, registry }: ModelsDeps,
  { id, user, action }: Wanted & { action: string },
  write: (tx: Transaction, row: ProviderRow) => Promise<object>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRegistry(tx)
    const row = (await listProviders(tx)).find((one) => one.id === id)
    if (row === undefined) throw notFound()
    if (row.environmentAlias !== null) throw ofEnvironment()
    const details = await write(tx, row)
    const event = { actorId: user.id, objectType: 'model_provider', objectId: id } as const
    await insertRegistryEvent(tx, { ...event, action: `model_provider.${action}`, details })
  })
  await registry.refresh()
}

export const reachOf = ({ allowsPrivateAddress }: Pick<ProviderRow, 'allowsPrivateAddress'>) =>
  allowsPrivateAddress ? 'own' : 'public'

/** The address of its API. Throws `invalid` at the field. */
export function requireAddress({
  kind,
  baseUrl = KIND_ADDRESSES[kind],
  allowsPrivateAddress,
}: Pick<CreateProviderRequest, 'kind' | 'baseUrl'> & { allowsPrivateAddress: boolean }): string {
  if (baseUrl === undefined) throw fieldError('baseUrl', 'Address is required')
  const refusal = refusalOfAddress(baseUrl, reachOf({ allowsPrivateAddress }))
  if (refusal !== undefined) throw fieldError('baseUrl', `This address is not allowed: ${refusal}.`)
  return baseUrl
}

const notFound = () => new AppError('not_found', 'This provider does not exist')
const ofEnvironment = () =>
  new AppError(
    'conflict',
    'This provider stands in the environment. Change its settings where Catenary runs.',
  )
