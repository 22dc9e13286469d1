import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareDecimals } from './compare-decimals.ts'

it('compares digit by digit, where a floating number would round', () => {
  expect(compareDecimals('12345678901234567890', '12345678901234567891')).toBe(-1)
  expect(compareDecimals('0.1', '0.10')).toBe(0)
  expect(compareDecimals('1e2', '100')).toBe(0)
  expect(compareDecimals('-0', '0')).toBe(0)
  expect(compareDecimals(' 7\n', '6.999999999999999999999')).toBe(1)
  expect(compareDecimals('1e-400', '0')).toBe(1)
  expect(compareDecimals('.5', '+5e-1')).toBe(0)
})

it('reads no number where there is none', () => {
  for (const text of [
    '',
    ' ',
    '.',
    '-',
    'e5',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1 2',
    '1e99999',
    '１',
    '1'.repeat(1_001),
  ]) {
    expect(compareDecimals(text, '1'), text).toBeUndefined()
    expect(compareDecimals('1', text), text).toBeUndefined()
  }
})

/** A number as a fraction of whole numbers, and one of the ways to write it. */
const number = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: fc.stringMatching(/^\d{1,25}$/),
    part: fc.stringMatching(/^\d{0,12}$/),
    exponent: fc.integer({ min: -30, max: 30 }),
    isScientific: fc.boolean(),
  })
  .map(({ sign, whole, part, exponent, isScientific }) => {
    const over = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n)
    const shift = (isScientific ? exponent : 0) - part.length
    const point = part === '' ? '' : `.${part}`
    return {
      text: `${sign}${whole}${point}${isScientific ? `e${exponent}` : ''}`,
      over: shift > 0 ? over * 10n ** BigInt(shift) : over,
      under: shift < 0 ? 10n ** BigInt(-shift) : 1n,
    }
  })

it('orders any two numbers as their fractions are ordered', () => {
  fc.assert(
    fc.property(number, number, (left, right) => {
      const [a, b] = [left.over * right.under, right.over * left.under]
      expect(compareDecimals(left.text, right.text)).toBe(a < b ? -1 : a > b ? 1 : 0)
      expect(compareDecimals(left.text, left.text)).toBe(0)
    }),
  )
})
