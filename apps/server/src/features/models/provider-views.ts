import { MODEL_ALIASES, MODELS, type ModelProvider } from '@catenary/contracts'
import type { ModelsSettings } from '../../platform/models/model-types.ts'
import type { ProviderRow } from './models.repository.ts'
import { endOf } from './provider-keys.ts'

/** One of the environment is there while the environment has an address for it. */
export const isThere =
  (settings: ModelsSettings) =>
  ({ environmentAlias }: ProviderRow): boolean => {
    const alias = MODEL_ALIASES.find((one) => one === environmentAlias)
    return environmentAlias === null || (alias !== undefined && settings[alias] !== undefined)
  }

/** A provider as admins see it; never a key. */
export function viewOf(row: ProviderRow, settings: ModelsSettings): ModelProvider {
  const { id, name, kind, environmentAlias, allowsPrivateAddress } = row
  const alias = MODEL_ALIASES.find((one) => one === environmentAlias)
  const view = { id, name, kind, allowsPrivateAddress, isFromEnvironment: environmentAlias !== null }
  if (alias !== undefined) {
    const { apiKey, baseUrl = null } = settings[alias] ?? {}
    return {
      ...view,
      baseUrl,
      keySetting: MODELS[alias].settings.apiKey,
      keyEnd: apiKey === undefined ? null : endOf(apiKey),
      newKeyEnd: null,
      addedBy: null,
      addedAt: null,
    }
  }
  return {
    ...view,
    baseUrl: row.baseUrl,
    keySetting: null,
    keyEnd: row.apiKeyEnd,
    newKeyEnd: row.newApiKeyEnd,
    addedBy: row.addedByName,
    addedAt: row.createdAt.toISOString(),
  }
}
