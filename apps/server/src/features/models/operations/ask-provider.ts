import type { CreateProviderRequest, ProviderModels, ReplacedKey } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { listAddressOf } from '../../../platform/models/list-models.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ListedProvider } from '../../../platform/models/model-types.ts'
import { updateProvider } from '../models.repository.ts'
import type { ModelsDeps, Wanted } from '../models-deps.ts'
import { openKey, sealKey } from '../provider-keys.ts'
import { viewOf } from '../provider-views.ts'
import { findProvider, reachOf, requireAddress, writeProvider } from './change-provider.ts'

/** Puts the key that waits in the place of the other, if the provider takes it or an admin wants it all the same. */
export async function replaceKey(
  deps: ModelsDeps,
  { isConfirmed, ...wanted }: Wanted & { isConfirmed: boolean },
): Promise<ReplacedKey> {
  const { models, secrets } = deps
  const row = await findProvider(deps, wanted.id)
  const { id, kind, baseUrl, newApiKey } = row
  const key = openKey(secrets, row, 'newApiKey')
  if (baseUrl === null || key === undefined) throw new AppError('conflict', 'No new key waits')
  const asked = await ask(deps, { kind, baseUrl, apiKey: key, reach: reachOf(row) }, row.name)
  if (asked.ok || isConfirmed) {
    await writeProvider(deps, { ...wanted, action: 'key_replaced' }, async (tx, current) => {
      if (current.newApiKey !== newApiKey || current.baseUrl !== baseUrl) {
        throw new AppError('conflict', 'The provider was changed meanwhile. Look at it again.')
      }
      const sealed = sealKey(secrets, { id, baseUrl, key, column: 'apiKey' })
      await updateProvider(tx, { id, newApiKey: null, newApiKeyEnd: null, ...sealed })
      return { isTested: asked.ok }
    })
  }
  const provider = viewOf(await findProvider(deps, id), models)
  return { ok: asked.ok || isConfirmed, error: asked.error, provider }
}

/** Asks a provider which models it has. */
export async function listModelsOf(deps: ModelsDeps, id: number): Promise<ProviderModels> {
  const { models, secrets } = deps
  const row = await findProvider(deps, id)
  const { name, kind, baseUrl, environmentAlias } = row
  const own = models.environment.find(({ alias }) => alias === environmentAlias)?.settings
  if (own !== undefined) {
    return ask(deps, { kind, baseUrl: own.baseUrl, apiKey: own.apiKey, reach: 'any' }, name)
  }
  if (baseUrl === null) return { ok: false, models: [], error: `${name} has no address.`, address: null }
  return ask(deps, { kind, baseUrl, apiKey: openKey(secrets, row), reach: reachOf(row) }, name)
}

/** The same of one that is not saved yet. */
export function listModelsAt(
  deps: ModelsDeps,
  { apiKey, ...given }: Omit<CreateProviderRequest, 'name'>,
): Promise<ProviderModels> {
  const { kind, allowsPrivateAddress = false } = given
  const baseUrl = requireAddress({ ...given, allowsPrivateAddress })
  const reach = reachOf({ allowsPrivateAddress })
  return ask(deps, { kind, baseUrl, apiKey, reach }, new URL(baseUrl).host)
}

/** A failure is a result; its sentence has nothing of the reply but its status. */
async function ask(
  { models }: Pick<ModelsDeps, 'models'>,
  provider: ListedProvider,
  label: string,
): Promise<ProviderModels> {
  const address = listAddressOf(provider)
  try {
    return { ok: true, models: await models.listOf(provider, label), error: null, address }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ok: false, models: [], error: error.message, address }
  }
}
