import { expect, it } from 'vitest'
import { MODEL_DEFAULTS } from './default-models.ts'
import { findPrice } from './prices.ts'

it('prices every default model', () => {
  const modelIds = Object.values(MODEL_DEFAULTS).flatMap(({ modelId }) => modelId ?? [])
  expect(modelIds).toHaveLength(3)
  for (const modelId of modelIds) expect(findPrice({ modelId })).not.toBeNull()
})

it('prices a dated snapshot as its model', () => {
  const price = findPrice({ modelId: 'gpt-5.4' })
  expect(findPrice({ modelId: 'gpt-5.4-2026-03-05' })).toEqual(price)
  expect(findPrice({ modelId: 'claude-haiku-4-5-20251001' })).toEqual(
    findPrice({ modelId: 'claude-haiku-4-5' }),
  )
})

it.each(['gpt-5.4-pro', 'claude-opus-5-7', 'llama3', '', 'toString'])(
  'does not guess a price for %s',
  (modelId) => {
    expect(findPrice({ modelId })).toBeNull()
  },
)

it('prefers the price that the settings give', () => {
  const price = { inputPerMillionUsd: 0, outputPerMillionUsd: 0 }
  expect(findPrice({ modelId: 'gpt-5.4', overrides: { 'gpt-5.4': price } })).toEqual(price)
  expect(findPrice({ modelId: 'gpt-5.4-mini', overrides: { 'gpt-5.4': price } })).not.toEqual(price)
})
