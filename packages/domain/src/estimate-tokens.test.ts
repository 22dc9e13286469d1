import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, formatTextSize, isCacheable } from './estimate-tokens.ts'

describe('estimateTokens', () => {
  it.each([
    ['', { characters: 0, tokens: 0 }],
    ['a', { characters: 1, tokens: 1 }],
    ['x'.repeat(182), { characters: 182, tokens: 48 }],
    ['你好世界', { characters: 4, tokens: 4 }],
    ['👋', { characters: 1, tokens: 1 }],
    ['\ud800', { characters: 1, tokens: 1 }],
  ])('measures %j', (text, size) => {
    expect(estimateTokens(text)).toEqual(size)
  })

  it('counts code points and never estimates more tokens than characters, nor fewer for more text', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, (first, second) => {
        const size = estimateTokens(first)
        expect(size.characters).toBe([...first].length)
        expect(size.tokens).toBeLessThanOrEqual(size.characters)
        expect(size.tokens > 0).toBe(first !== '')
        expect(estimateTokens(`${first} ${second}`).tokens).toBeGreaterThanOrEqual(size.tokens)
      }),
    )
  })
})

describe('formatTextSize', () => {
  it.each([
    [{ characters: 182, tokens: 48 }, '182 characters · about 48 tokens'],
    [{ characters: 1, tokens: 1 }, '1 character · about 1 token'],
    [{ characters: 0, tokens: 0 }, '0 characters · about 0 tokens'],
    [{ characters: 12_345, tokens: 3_249 }, '12,345 characters · about 3,249 tokens'],
  ])('writes %j as %s', (size, text) => {
    expect(formatTextSize(size)).toBe(text)
  })
})

it('takes texts together for long enough to be cached from 1,024 tokens on', () => {
  expect(isCacheable('x'.repeat(3_887))).toBe(false)
  expect(isCacheable('x'.repeat(3_888))).toBe(true)
  expect(isCacheable('x'.repeat(2_000), 'x'.repeat(1_888))).toBe(true)
  expect(isCacheable('你'.repeat(1_024))).toBe(true)
  expect(isCacheable('👋'.repeat(1_023))).toBe(false)
  expect(isCacheable('👋'.repeat(100_000))).toBe(true)
})
