import type { CreateProviderRequest, KnownModel, ProviderModels, ReplacedKey } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { capabilitiesOf, contextTokensOf } from '../../platform/models/default-models.ts'
import { listAddressOf } from '../../platform/models/list-models.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ListedProvider } from '../../platform/models/model-types.ts'
import { toRegisteredPrice } from './change-model.ts'
import { findProvider, reachOf, requireAddress, writeProvider } from './change-provider.ts'
import { updateProvider } from './models.sql.ts'
import { openKey, sealKey } from './provider-keys.ts'
import { viewOf } from './provider-views.ts'

/** Puts the key that waits in the place of the other, if the provider takes it or an admin wants it all the same. */
export async function replaceKey(
  ctx: Context,
  { isConfirmed, ...wanted }: { id: number; isConfirmed: boolean },
): Promise<ReplacedKey> {
  const { models, secrets } = ctx
  const row = await findProvider(ctx, wanted.id)
  const { id, kind, baseUrl, newApiKey } = row
  const key = openKey(secrets, row, 'newApiKey')
  if (baseUrl === null || key === undefined) throw new AppError('conflict', 'There is no new key to use')
  const asked = await ask(ctx, { kind, baseUrl, apiKey: key, reach: reachOf(row) }, row.name)
  if (asked.ok || isConfirmed) {
    await writeProvider(ctx, { id, kind: 'model_provider.key_replaced' }, async (db, current) => {
      if (current.newApiKey !== newApiKey || current.baseUrl !== baseUrl) {
        throw new AppError('conflict', 'The provider was changed in the meantime. Reload and check it.')
      }
      const sealed = sealKey(secrets, { id, baseUrl, key, column: 'apiKey' })
      await updateProvider(db, { id, newApiKey: null, newApiKeyEnd: null, ...sealed })
      return { isTested: asked.ok }
    })
  }
  const provider = viewOf(await findProvider(ctx, id), models)
  return { ok: asked.ok || isConfirmed, error: asked.error, provider }
}

export async function listModelsOf(ctx: Context, id: number): Promise<ProviderModels> {
  const { models, secrets } = ctx
  const row = await findProvider(ctx, id)
  const { name, kind, baseUrl, environmentAlias } = row
  const own = models.environment.find(({ alias }) => alias === environmentAlias)?.settings
  if (own !== undefined) {
    return ask(ctx, { kind, baseUrl: own.baseUrl, apiKey: own.apiKey, reach: 'any' }, name)
  }
  if (baseUrl === null) return { ...NONE, error: `${name} has no address.`, address: null }
  return ask(ctx, { kind, baseUrl, apiKey: openKey(secrets, row), reach: reachOf(row) }, name)
}

export function listModelsAt(
  ctx: Context,
  { apiKey, ...given }: Omit<CreateProviderRequest, 'name'>,
): Promise<ProviderModels> {
  const { kind, allowsPrivateAddress = false } = given
  const baseUrl = requireAddress({ ...given, allowsPrivateAddress })
  const reach = reachOf({ allowsPrivateAddress })
  return ask(ctx, { kind, baseUrl, apiKey, reach }, new URL(baseUrl).host)
}

const NONE = { ok: false, models: [], known: [] }

/** A failure is a result; its sentence repeats nothing of the reply but the status. */
async function ask(ctx: Context, provider: ListedProvider, label: string): Promise<ProviderModels> {
  const address = listAddressOf(provider)
  try {
    const modelIds = await ctx.models.listOf(provider, label)
    const known = modelIds.flatMap((modelId) => knownModel(ctx, { kind: provider.kind, modelId }) ?? [])
    return { ok: true, models: modelIds, known, error: null, address }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ...NONE, error: error.message, address }
  }
}

function knownModel(
  { models }: Context,
  { kind, modelId }: Pick<ListedProvider, 'kind'> & { modelId: string },
): KnownModel | undefined {
  const price = models.usualPriceOf(modelId)
  const contextTokens = contextTokensOf(modelId)
  if (price === null && contextTokens === null) return undefined
  return {
    modelId,
    contextTokens,
    price: price && toRegisteredPrice(price),
    capabilities: capabilitiesOf({ kind, modelId }),
  }
}
