import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceededBound } from './json-size.ts'

/** Values within each other, and how deep. */
function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
  const parts = Object.values(value).map(measure)
  return {
    values: 1 + parts.reduce((sum, part) => sum + part.values, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  }
}

const find = (text: string, values: number, depth: number) =>
  exceededBound(Buffer.from(text), { values, depth })

test('a text holds as many values, and as deep, as what is parsed of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const { values, depth } = measure(JSON.parse(text))
      expect(find(text, values, depth)).toBeUndefined()
      expect(find(text, values - 1, depth)).toBe('values')
      if (depth > 0) expect(find(text, values, depth - 1)).toBe('depth')
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['quotes and brackets in a long text', JSON.stringify(`${'a'.repeat(500)}"],{[`), 1],
  [
    'escapes where a long text is searched for its end',
    JSON.stringify(`${'a'.repeat(100)}\\\\"${'\\'.repeat(99)}"`),
    1,
  ],
  ['backslashes only', JSON.stringify('\\'.repeat(1_001)), 1],
  ['a list after a long text', `["${'a'.repeat(300)}\\\\",[],{}]`, 4],
  ['keys', JSON.stringify({ 'a,b': { '[': 1 }, '"': [] }), 4],
])('%s are counted as they are', (_name, text, values) => {
  expect(measure(JSON.parse(text)).values).toBe(values)
  expect(find(text, values, 5)).toBeUndefined()
  expect(find(text, values - 1, 5)).toBe('values')
})

test('what is no JSON ends too', () => {
  for (const text of [
    '',
    '"',
    '"\\',
    '"\\\\',
    `"${'a'.repeat(200)}`,
    `"${'a'.repeat(200)}\\"`,
    ']]]',
    '{"a":',
  ]) {
    expect(find(text, 100, 100)).toBeUndefined()
  }
})
