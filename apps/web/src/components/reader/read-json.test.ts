import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'
import { TooMuchError } from './reader-bounds.ts'

test('values are read as they are written: digits, order, and a name that is there twice', () => {
  expect(
    readJson({ text: ' {"b": 12345678901234567890, "a": [1.50, "x\\n\\u00e9", null], "b": true}\n' }),
  ).toEqual({
    kind: 'json',
    root: {
      kind: 'object',
      entries: [
        { name: 'b', node: { kind: 'number', value: '12345678901234567890' } },
        {
          name: 'a',
          node: {
            kind: 'list',
            items: [
              { kind: 'number', value: '1.50' },
              { kind: 'text', value: 'x\né' },
              { kind: 'null', value: 'null' },
            ],
          },
        },
        { name: 'b', node: { kind: 'boolean', value: 'true' } },
      ],
    },
  })
  expect(readJson({ text: '{"__proto__": {}, "c": []}' })).toMatchObject({ kind: 'json' })
})

test.each([
  ['', 'line 1, column 1: it ends unexpectedly'],
  ['{"a": 1', 'line 1, column 8: it ends unexpectedly'],
  ['{"a": "cut', 'line 1, column 7: a value belongs here'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: a comma or } belongs here'],
  ['[1 2]', 'line 1, column 4: a comma or ] belongs here'],
  ['{"a": 1,}', 'line 1, column 9: a name in double quotes belongs here'],
  ['[1,]', 'line 1, column 4: a value belongs here'],
  ['{a: 1}', 'line 1, column 2: a name in double quotes belongs here'],
  ['{"a" 1}', 'line 1, column 6: a colon belongs here'],
  ['{"a": 1]', 'line 1, column 8: a comma or } belongs here'],
  ['[01]', 'line 1, column 3: a comma or ] belongs here'],
  ['["a\tb"]', 'line 1, column 2: a value belongs here'],
  ['["\\x"]', 'line 1, column 2: a value belongs here'],
  ['{} {}', 'line 1, column 4: unexpected text after the end'],
  [']', 'line 1, column 1: a value belongs here'],
  [',', 'line 1, column 1: a value belongs here'],
])('of %j is said where it stops being JSON', (text, reason) => {
  expect(readJson({ text })).toEqual({ kind: 'problem', reason })
  expect(() => JSON.parse(text)).toThrow()
})

test.each([
  ['lists within lists', '['.repeat(101)],
  ['more values than a page holds', `[${'1,'.repeat(50_000)}1]`],
  ['more characters than are read', `"${'a'.repeat(500_000)}"`],
])('%s are not laid out', (_what, text) => {
  expect(() => readJson({ text })).toThrow(TooMuchError)
})
