import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costNanos, formatUsd, nanosToUsd, savedNanos, usdToNanos } from './costs.ts'

const price = { inputPerMillionUsd: 3, outputPerMillionUsd: 15 }

describe('costNanos', () => {
  it('adds what the input and the output cost', () => {
    expect(costNanos({ inputTokens: 200, outputTokens: 140, price })).toBe(2_700_000)
    expect(costNanos({ inputTokens: 1, outputTokens: 0, price })).toBe(3_000)
    expect(costNanos({ inputTokens: 0, outputTokens: 1, price })).toBe(15_000)
    expect(costNanos({ inputTokens: 0, outputTokens: 0, price })).toBe(0)
  })

  it('charges less for what is read from a cache, more for what is written to one, and tells the difference', () => {
    const cached = { ...price, cachedInputPerMillionUsd: 0.3 }
    const call = { inputTokens: 1000, outputTokens: 10, cachedTokens: 600, price: cached }
    expect(costNanos(call)).toBe(400 * 3_000 + 600 * 300 + 10 * 15_000)
    expect(savedNanos(call)).toBe(600 * 2_700)
    expect(savedNanos({ ...call, price })).toBe(0)
    expect(savedNanos({ ...call, cachedTokens: null })).toBe(0)
    const written = { ...call, cachedTokens: 0, cacheWriteTokens: 600 }
    expect(costNanos(written)).toBe(400 * 3_000 + 600 * 3_750 + 10 * 15_000)
    expect(savedNanos(written)).toBe(-600 * 750)
    expect(savedNanos({ ...call, price: null })).toBeNull()
  })

  it('does not know the cost without a price or a count', () => {
    expect(costNanos({ inputTokens: 1, outputTokens: 1, price: null })).toBeNull()
    expect(costNanos({ inputTokens: null, outputTokens: 1, price })).toBeNull()
    expect(costNanos({ inputTokens: 1, outputTokens: null, price })).toBeNull()
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'does not know the cost of %d tokens',
    (tokens) => {
      expect(costNanos({ inputTokens: tokens, outputTokens: 1, price })).toBeNull()
      expect(costNanos({ inputTokens: 1, outputTokens: tokens, price })).toBeNull()
    },
  )

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not know the cost at a price of %d', (usd) => {
    expect(
      costNanos({ inputTokens: 1, outputTokens: 1, price: { ...price, inputPerMillionUsd: usd } }),
    ).toBeNull()
  })

  it('rounds half a nano-dollar up although the price has no exact binary form', () => {
    const oddPrice = { inputPerMillionUsd: 0.003925, outputPerMillionUsd: 0 }
    expect(costNanos({ inputTokens: 20, outputTokens: 0, price: oddPrice })).toBe(79)
  })

  it('is exact to half a nano-dollar for prices in micro-dollars', () => {
    const tokens = fc.integer({ min: 0, max: 10_000_000 })
    const micros = fc.integer({ min: 0, max: 200_000_000 })
    fc.assert(
      fc.property(tokens, tokens, micros, micros, (inputTokens, outputTokens, input, output) => {
        const picos = BigInt(inputTokens) * BigInt(input) + BigInt(outputTokens) * BigInt(output)
        const cost = costNanos({
          inputTokens,
          outputTokens,
          price: { inputPerMillionUsd: input / 1e6, outputPerMillionUsd: output / 1e6 },
        })
        expect(cost).toBe(Number((picos + 500n) / 1000n))
      }),
    )
  })
})

describe('formatUsd', () => {
  it.each([
    [null, 'unknown'],
    [0, '$0.00'],
    [1, '<$0.0001'],
    [99_999, '<$0.0001'],
    [100_000, '$0.00010'],
    [2_700_000, '$0.0027'],
    [19_000_000, '$0.019'],
    [500_000_000, '$0.50'],
    [999_600_000, '$1.00'],
    [12_500_000_000, '$12.50'],
    [1_234_560_000_000, '$1,234.56'],
  ])('shows %d nano-dollars as %s', (nanos, text) => {
    expect(formatUsd(nanos)).toBe(text)
  })
})

describe('nanosToUsd and usdToNanos', () => {
  it('keep what is not known unknown', () => {
    expect(nanosToUsd(null)).toBeNull()
    expect(usdToNanos(null)).toBeNull()
  })

  it('lose no nano-dollar on the way there and back', () => {
    expect(nanosToUsd(2_700_000)).toBe(0.0027)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (nanos) => {
        expect(usdToNanos(nanosToUsd(nanos))).toBe(nanos)
      }),
    )
  })
})
