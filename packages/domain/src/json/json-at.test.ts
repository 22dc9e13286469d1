import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatJson } from './format-json.ts'
import { readJsonText, sayJson } from './json-at.ts'
import { tokensOf } from './json-tokens.ts'

/** What a model answered; the third test of strangers. */
const NUMBERS =
  '{"id": 1736184243098437392, "price": 1.10, "big": 12345678901234567890, "2025": "b", "2024": "a"}'

it('keeps every digit, and the order of keys', () => {
  const json = readJsonText(`{"rec": ${NUMBERS}, "list": [1E400, -0.0, "\\u00e9"]}`)
  const said = (...steps: (string | number)[]) => json?.at(steps)
  expect(said('rec', 'id')).toBe('1736184243098437392')
  expect(said('rec', 'price')).toBe('1.10')
  expect(said('rec', 'big')).toBe('12345678901234567890')
  expect(said('rec')).toBe(NUMBERS.replaceAll(': ', ':').replaceAll(', ', ','))
  expect(said('list', 0)).toBe('1E400')
  expect(said('list', 1)).toBe('-0.0')
  expect(sayJson(said('list', 2) ?? '')).toBe('é')
  expect(said('list', 3)).toBeUndefined()
  expect(said('list', 'length')).toBeUndefined()
  for (const path of [['rec', 'toString'], ['rec', 'constructor'], ['rec', 'id', 'a'], [0]])
    expect(said(...path)).toBeUndefined()
  expect(readJsonText('{"a": 1, "a": 2}')?.at(['a'])).toBe('2')
  expect(readJsonText('{"a": ')).toBeUndefined()
})

/** Any JSON text, with white space between its tokens, and numbers that no number type holds. */
const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/)
const space = fc.constantFrom('', ' ', '\n', '\t \r\n')
const { json } = fc.letrec<{ json: string }>((tie) => {
  const spaced = fc.tuple(space, tie('json'), space).map((parts) => parts.join(''))
  const name = fc.string().map((text) => JSON.stringify(text))
  return {
    json: fc.oneof(
      { maxDepth: 4 },
      digits,
      fc.constantFrom('true', 'false', 'null'),
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      fc.array(spaced, { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .array(fc.tuple(name, space, spaced), { maxLength: 4 })
        .map((entries) => `{${entries.map(([key, gap, value]) => `${key}${gap}:${value}`).join(',')}}`),
    ),
  }
})

it('Pretty printing JSON changes white space alone (D70).', () => {
  fc.assert(
    fc.property(json, (text) => {
      const pretty = formatJson(text)
      expect([...tokensOf(pretty ?? '')]).toEqual([...tokensOf(text)])
      expect(readJsonText(text)?.at([])).toBe([...tokensOf(text)].join(''))
      const value: unknown = JSON.parse(text)
      const items = readJsonText(text)?.items()
      expect(items?.map((item) => JSON.parse(item))).toEqual(Array.isArray(value) ? value : undefined)
      const isGroup = typeof value === 'object' && value !== null
      for (const [name, inner] of isGroup ? Object.entries(value) : []) {
        const step = Array.isArray(value) ? Number(name) : name
        expect(JSON.parse(readJsonText(text)?.at([step]) ?? '')).toEqual(inner)
      }
    }),
    { numRuns: 500 },
  )
})
