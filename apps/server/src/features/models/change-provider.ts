import {
  type ActivityFields,
  type CreateProviderRequest,
  type ModelProvider,
  PROVIDERS_MAX,
  type UpdateProviderRequest,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { KIND_ADDRESSES } from '../../platform/models/default-models.ts'
import { refusalOfAddress } from '../../platform/outbound/pool-connector.ts'
import { recordActivity } from '../activity/activity.ts'
import {
  deleteProviderRow,
  insertProvider,
  listModels,
  listProviders,
  lockRegistry,
  type ProviderRow,
  updateProvider,
} from './models.sql.ts'
import { sealKey } from './provider-keys.ts'
import { isThere, viewOf } from './provider-views.ts'
import { registry } from './registry.ts'

const NO_KEYS = { apiKey: null, apiKeyEnd: null, newApiKey: null, newApiKeyEnd: null }

export async function readProviders({ db, models }: Context): Promise<ModelProvider[]> {
  return (await listProviders(db)).filter(isThere(models)).map((row) => viewOf(row, models))
}

export async function findProvider({ db }: SqlContext, id: number): Promise<ProviderRow> {
  const found = (await listProviders(db)).find((row) => row.id === id)
  if (found === undefined) throw notFound()
  return found
}

export async function createProvider(
  ctx: Context,
  { fields, user }: { fields: CreateProviderRequest; user: User },
): Promise<ModelProvider> {
  const { models, secrets } = ctx
  const { name, kind, apiKey, allowsPrivateAddress = false } = fields
  const baseUrl = requireAddress({ ...fields, allowsPrivateAddress })
  const id = await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    const before = await listProviders(db)
    if (before.length >= PROVIDERS_MAX) {
      throw new AppError('conflict', `There are ${PROVIDERS_MAX} providers. Remove one to add another.`)
    }
    const added = await insertProvider(db, { name, kind, baseUrl, allowsPrivateAddress, addedBy: user.id })
    if (apiKey !== undefined) {
      const key = sealKey(secrets, { id: added, baseUrl, key: apiKey, column: 'apiKey' })
      await updateProvider(db, { id: added, ...key })
    }
    const after = {
      kind,
      address: new URL(baseUrl).origin,
      hasKey: apiKey !== undefined,
      allowsPrivateAddress,
    }
    await recordActivity(ctx, { kind: 'model_provider.added', object: 'model_provider', id: added, after })
    return added
  })
  await registry(ctx).refresh()
  return viewOf(await findProvider(ctx, id), models)
}

/** Absent fields stay. Changing the origin removes the keys (D67); a key given while there is one waits. */
export async function changeProvider(
  ctx: Context,
  { id, fields }: { id: number; fields: UpdateProviderRequest },
): Promise<ModelProvider> {
  const { models, secrets } = ctx
  await writeProvider(ctx, { id, kind: 'model_provider.changed' }, async (db, row) => {
    const { name, apiKey, allowsPrivateAddress = row.allowsPrivateAddress } = fields
    const { kind } = row
    const given = fields.baseUrl ?? row.baseUrl ?? undefined
    const baseUrl = requireAddress({ kind, baseUrl: given, allowsPrivateAddress })
    const isElsewhere = row.baseUrl === null || new URL(row.baseUrl).origin !== new URL(baseUrl).origin
    const takesKeys = isElsewhere || apiKey === null
    const column = takesKeys || row.apiKey === null ? 'apiKey' : 'newApiKey'
    await updateProvider(db, {
      id,
      name,
      baseUrl,
      allowsPrivateAddress,
      ...(takesKeys ? NO_KEYS : {}),
      ...(apiKey ? sealKey(secrets, { id, baseUrl, key: apiKey, column }) : {}),
    })
    const hasKey = takesKeys ? Boolean(apiKey) : row.apiKey !== null || Boolean(apiKey)
    return { address: new URL(baseUrl).origin, allowsPrivateAddress, hasKey }
  })
  return viewOf(await findProvider(ctx, id), models)
}

export function deleteProvider(ctx: Context, id: number): Promise<void> {
  return writeProvider(ctx, { id, kind: 'model_provider.removed' }, async (db, { name }) => {
    const left = (await listModels(db)).filter(({ providerId }) => providerId === id).length
    if (left > 0) {
      const many = left === 1 ? 'a model' : `${left} models`
      throw new AppError('conflict', `${name} still has ${many}. Remove them first.`)
    }
    await deleteProviderRow(db, id)
    return undefined
  })
}

/** Calls that begin after it resolves know of the change. Throws `conflict` for a provider of the environment. */
export async function writeProvider(
  ctx: Context,
  { id, kind }: { id: number; kind: `model_provider.${'changed' | 'removed' | 'key_replaced'}` },
  write: (db: Transaction, row: ProviderRow) => Promise<ActivityFields | undefined>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRegistry(db)
    const row = (await listProviders(db)).find((one) => one.id === id)
    if (row === undefined) throw notFound()
    if (row.environmentAlias !== null) throw ofEnvironment()
    const after = await write(db, row)
    const { baseUrl, allowsPrivateAddress, apiKey } = row
    const address = baseUrl === null ? null : new URL(baseUrl).origin
    const before = { address, allowsPrivateAddress, hasKey: apiKey !== null }
    await recordActivity(ctx, { kind, object: 'model_provider', id, before, after })
  })
  await registry(ctx).refresh()
}

export const reachOf = ({ allowsPrivateAddress }: Pick<ProviderRow, 'allowsPrivateAddress'>) =>
  allowsPrivateAddress ? 'own' : 'public'

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
    'This provider is set by the environment. Change its settings where Catenary runs.',
  )
