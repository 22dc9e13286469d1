import { type EnvironmentAlias, MODEL_ALIASES, MODELS, neededSetting } from '@catenary/contracts'
import { capabilitiesOf, contextTokensOf } from './default-models.ts'
import type { ModelSource, ModelsSettings } from './model-types.ts'

export function environmentModels(settings: ModelsSettings): ModelSource[] {
  return MODEL_ALIASES.flatMap((alias) => toSource(settings, alias) ?? [])
}

function toSource(settings: ModelsSettings, alias: EnvironmentAlias): ModelSource | undefined {
  const own = settings[alias]
  if (own === undefined) return undefined
  const { label, kind, needs, settings: names } = MODELS[alias]
  const { modelId } = own
  return {
    alias,
    kind,
    label: own.label ?? label,
    settings: own,
    configured: Boolean(own[needs]),
    keyName: names.apiKey,
    addressName: names.baseUrl,
    neededName: neededSetting(alias),
    reach: 'any',
    capabilities: capabilitiesOf({ kind, modelId }),
    contextTokens: contextTokensOf(modelId),
    ownPrice: null,
  }
}
