import type { ModelPrice } from '@catenary/domain'
import { LIST_PRICES } from './default-models.ts'

/** Prices by model id, as settings give them. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>

/** Finds the price of a model: an override by exact id, else the list price of the model or its snapshot; null when unknown. */
export function findPrice({
  modelId,
  overrides = {},
}: {
  modelId: string
  overrides?: ModelPrices
}): ModelPrice | null {
  const override = Object.hasOwn(overrides, modelId) ? overrides[modelId] : undefined
  if (override !== undefined) return override
  const listed = Object.keys(LIST_PRICES).find((id) => isModelOrSnapshot({ modelId, id }))
  return listed === undefined ? null : (LIST_PRICES[listed] ?? null)
}

/** Only a dated or numbered snapshot shares its model's price: a 'gpt-5.4-pro' is no 'gpt-5.4'. */
function isModelOrSnapshot({ modelId, id }: { modelId: string; id: string }): boolean {
  return modelId.startsWith(id) && /^(-\d{8}|-\d{4}-\d\d-\d\d|-\d{3})?$/.test(modelId.slice(id.length))
}
