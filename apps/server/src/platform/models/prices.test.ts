import { expect, it } from 'vitest'
import { MODEL_DEFAULTS } from './default-models.ts'
import { findPrice } from './prices.ts'

it('prices every default model', () => {
  const modelIds = Object.values(MODEL_DEFAULTS).flatMap(({ modelId }) => modelId ?? [])
  expect(modelIds).not.toEqual([])
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
  expect(findPrice({ modelId: 'gpt-5.4', overrides: { 'gpt-5.4': price } })).toMatchObject(price)
  expect(findPrice({ modelId: 'gpt-5.4-mini', overrides: { 'gpt-5.4': price } })).not.toEqual(price)
})

it.each([
  { modelId: 'claude-sonnet-5-5', cached: 0.2 },
  { modelId: 'gpt-6.1-sol', cached: 0.2 },
  { modelId: 'gpt-4o-2024-08-06', cached: 1.25 },
  { modelId: 'gpt-4.1-mini', cached: 0.1 },
  { modelId: 'gemini-4-hydrogen', cached: 0.15 },
])(
  'Input that is read from a cache, or written to one, has its own price. ($modelId)',
  ({ modelId, cached }) => {
    expect(findPrice({ modelId })?.cachedInputPerMillionUsd).toBeCloseTo(cached)
  },
)

it('prices what is read from a cache as the settings say, and else as other input of an unknown model', () => {
  const price = { inputPerMillionUsd: 10, outputPerMillionUsd: 20 }
  const own = { ...price, cachedInputPerMillionUsd: 7 }
  expect(findPrice({ modelId: 'gpt-5.4', overrides: { 'gpt-5.4': own } })).toEqual(own)
  expect(findPrice({ modelId: 'llama3', overrides: { llama3: price } })).toEqual(price)
})
