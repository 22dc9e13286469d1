import type { ModelPrice } from '@catenary/domain'
import { CACHED_SHARES, LIST_PRICES } from './default-models.ts'

export type ModelPrices = Readonly<Record<string, ModelPrice>>

/**
 * Finds the price of a model: an override by exact id, else the list price of the model or its snapshot; null when
 * unknown. Input from a cache costs the vendor's share, unless the override has a price for it.
 */
export function findPrice({
  modelId,
  overrides = {},
}: {
  modelId: string
  overrides?: ModelPrices
}): ModelPrice | null {
  const override = Object.hasOwn(overrides, modelId) ? overrides[modelId] : undefined
  const listed = Object.keys(LIST_PRICES).find((id) => isModelOrSnapshot({ modelId, id }))
  const price = override ?? (listed === undefined ? undefined : LIST_PRICES[listed])
  return price === undefined ? null : withCachedPrice({ modelId, price })
}

export function withCachedPrice({ modelId, price }: { modelId: string; price: ModelPrice }): ModelPrice {
  const share = CACHED_SHARES.find(([ids]) => ids.test(modelId))?.[1]
  return share === undefined
    ? price
    : { cachedInputPerMillionUsd: price.inputPerMillionUsd * share, ...price }
}

/** Only a dated or numbered snapshot shares its model's price: a 'gpt-5.4-pro' is no 'gpt-5.4'. */
function isModelOrSnapshot({ modelId, id }: { modelId: string; id: string }): boolean {
  return modelId.startsWith(id) && /^(-\d{8}|-\d{4}-\d\d-\d\d|-\d{3})?$/.test(modelId.slice(id.length))
}
