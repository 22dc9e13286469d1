import { expect, test } from 'vitest'
import { isRightToLeft } from './text-direction.ts'

test.each([
  ['مرحبا world', true],
  ['10$ – שלום', true],
  ['Hello שלום', false],
  ['ܫܠܡܐ', true],
  ['2.0 (…)', false],
  ['大约', false],
  ['', false],
])('‘%s’ by its first letter: %s', (text, expected) => {
  expect(isRightToLeft(text)).toBe(expected)
})
