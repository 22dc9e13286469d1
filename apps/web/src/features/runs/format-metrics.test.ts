import { expect, it } from 'vitest'
import { formatCached } from './format-metrics.ts'

it.each([
  [{ inputTokens: 2_000, cachedTokens: 1_560, savedUsd: 0.011 }, 'cached 78 %, saved $0.011'],
  [{ inputTokens: 2_000, cachedTokens: 1_560, savedUsd: null }, 'cached 78 %'],
  [{ inputTokens: 2_000, cachedTokens: 100, savedUsd: -0.002 }, 'cached 5 %'],
  [{ inputTokens: 2_000, cachedTokens: 0, savedUsd: -0.002 }, ''],
  [{ inputTokens: 2_000, cachedTokens: null, savedUsd: null }, ''],
  [{ inputTokens: null, cachedTokens: 12, savedUsd: 0.1 }, ''],
])('says of %j what was cached', (usage, text) => {
  expect(formatCached(usage)).toBe(text)
})
