import type { ModelPrice } from '@catenary/domain'

/** Prices by model id, as settings give them. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>

/** The vendors' standard prices as published in November 2026: short context, no introductory discount. */
const LIST_PRICES: ModelPrices = {
  'claude-fable-5': usd(10, 50),
  'claude-fable-5-1': usd(10, 50),
  'claude-opus-5-5': usd(4, 20),
  'claude-opus-5': usd(5, 25),
  'claude-opus-4-8': usd(5, 25),
  'claude-opus-4-7': usd(5, 25),
  'claude-opus-4-6': usd(5, 25),
  'claude-opus-4-5': usd(5, 25),
  'claude-opus-4-1': usd(15, 75),
  'claude-sonnet-5-5': usd(2, 10),
  'claude-sonnet-5': usd(2, 10),
  'claude-sonnet-4-6': usd(3, 15),
  'claude-sonnet-4-5': usd(3, 15),
  'claude-haiku-5-5': usd(0.1, 0.5),
  'claude-haiku-4-5': usd(1, 5),
  'gpt-6-astra': usd(10, 50),
  'gpt-6.1-sol': usd(2, 10),
  'gpt-6.1-terra': usd(1, 5),
  'gpt-6-luna': usd(0.1, 0.5),
  'gpt-5.6-sol': usd(4, 20),
  'gpt-5.6-terra': usd(2, 12),
  'gpt-5.6-luna': usd(0.2, 1.2),
  'gpt-5.5': usd(5, 30),
  'gpt-5.4': usd(2.5, 15),
  'gpt-5.4-mini': usd(0.75, 4.5),
  'gpt-4.1': usd(2, 8),
  'gpt-4.1-mini': usd(0.4, 1.6),
  'gpt-4.1-nano': usd(0.1, 0.4),
  'gpt-4o': usd(2.5, 10),
  'gpt-4o-mini': usd(0.15, 0.6),
  'gemini-4-argon': usd(4, 20),
  'gemini-4-carbon': usd(4, 20),
  'gemini-4-hydrogen': usd(1.5, 7.5),
  'gemini-3.8-flash': usd(1.5, 7.5),
  'gemini-3.7-flash': usd(1.5, 7.5),
  'gemini-3.6-flash': usd(1.5, 7.5),
}

/** What of the price of input is charged for what is read from a cache, as the vendors' prices have it in November 2026. */
const CACHED_SHARES: [RegExp, number][] = [
  [/^gpt-4o/, 0.5],
  [/^gpt-4\.1/, 0.25],
  [/^(claude|gpt|gemini)-/, 0.1],
]

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
  if (price === undefined) return null
  const share = CACHED_SHARES.find(([ids]) => ids.test(modelId))?.[1]
  return share === undefined
    ? price
    : { cachedInputPerMillionUsd: price.inputPerMillionUsd * share, ...price }
}

/** Only a dated or numbered snapshot shares its model's price: a 'gpt-5.4-pro' is no 'gpt-5.4'. */
function isModelOrSnapshot({ modelId, id }: { modelId: string; id: string }): boolean {
  return modelId.startsWith(id) && /^(-\d{8}|-\d{4}-\d\d-\d\d|-\d{3})?$/.test(modelId.slice(id.length))
}

function usd(inputPerMillionUsd: number, outputPerMillionUsd: number): ModelPrice {
  return { inputPerMillionUsd, outputPerMillionUsd }
}
