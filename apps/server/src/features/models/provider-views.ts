import { MODEL_ALIASES, MODELS, type ModelProvider } from '@catenary/contracts'
import type { Models } from '../../platform/models/models.ts'
import type { ProviderRow } from './models.sql.ts'
import { endOf } from './provider-keys.ts'

type Environment = Pick<Models, 'environment'>

/** One of the environment is there while the environment has an address for it. */
export const isThere =
  ({ environment }: Environment) =>
  ({ environmentAlias }: ProviderRow): boolean =>
    environmentAlias === null || environment.some(({ alias }) => alias === environmentAlias)

export function viewOf(row: ProviderRow, { environment }: Environment): ModelProvider {
  const { id, name, kind, environmentAlias, allowsPrivateAddress } = row
  const view = { id, name, kind, allowsPrivateAddress, isFromEnvironment: environmentAlias !== null }
  const alias = MODEL_ALIASES.find((one) => one === environmentAlias)
  if (alias !== undefined) {
    const own = environment.find((source) => source.alias === alias)?.settings
    return {
      ...view,
      baseUrl: own?.baseUrl ?? null,
      keySetting: MODELS[alias].settings.apiKey,
      keyEnd: own?.apiKey ? endOf(own.apiKey) : null,
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
