import { eachCapability, type ManagedModel, PROVIDER_KINDS, type RegisteredPrice } from '@catenary/contracts'
import { type ModelPrice, nanosToUsd } from '@catenary/domain'
import type { Models } from '../../platform/models/models.ts'
import type { RegisteredModel } from './registry.service.ts'

/** A model as admins see it. */
export function viewOfModel(
  model: RegisteredModel,
  { models, spentNanos }: { models: Pick<Models, 'describe' | 'isSandbox' | 'priceOf'>; spentNanos: number },
): ManagedModel {
  const { id, alias, provider, source, position, isEnabled, isForEveryone, monthlyLimitNanos } = model
  const described = models.describe().find((one) => one.alias === alias)
  const price = source?.ownPrice ?? (models.isSandbox() ? null : models.priceOf(alias))
  return {
    id,
    alias,
    label: source?.label ?? model.label ?? alias,
    configured: source?.configured ?? false,
    keyVariable: source?.neededName ?? '',
    provider: described?.provider ?? PROVIDER_KINDS[provider.kind].provider,
    modelId: described?.modelId ?? source?.settings.modelId ?? model.modelId ?? '',
    isFromEnvironment: provider.environmentAlias !== null && model.modelId === null,
    providerId: provider.id,
    capabilities: source?.capabilities ?? NO_CAPABILITIES,
    ownCapabilities: model.capabilities,
    contextTokens: source?.contextTokens ?? model.contextTokens,
    price: price === null ? null : toRegisteredPrice(price),
    isOwnPrice: source !== undefined && source.ownPrice !== null,
    position,
    isEnabled,
    isForEveryone,
    monthlyLimitUsd: nanosToUsd(monthlyLimitNanos),
    spentUsd: nanosToUsd(spentNanos) ?? 0,
  }
}

const NO_CAPABILITIES = eachCapability(() => false)

function toRegisteredPrice(price: ModelPrice): RegisteredPrice {
  const { inputPerMillionUsd: input, outputPerMillionUsd: output, cachedInputPerMillionUsd: cached } = price
  return { input, output, cached: cached ?? null }
}
