import { expect, test } from 'vitest'
import {
  headerProblem,
  headersJson,
  headersOf,
  parseHeadersJson,
  rowsOf,
  withoutValues,
  withStoredValues,
} from './variable-headers.ts'

const rows = [
  { name: ' Accept ', value: ' text/plain ' },
  { name: '', value: ' ' },
  { name: '__proto__', value: 'p' },
]

test('rows become a map of what was filled in, and JSON that becomes the same rows', () => {
  const headers = headersOf(rows)
  expect(Object.entries(headers)).toEqual([
    ['Accept', 'text/plain'],
    ['__proto__', 'p'],
  ])
  expect(parseHeadersJson(headersJson({ rows, masked: false }))).toEqual(rowsOf(headers))
})

test('masked JSON shows names only; a map without headers is no text', () => {
  expect(headersJson({ rows, masked: true })).toBe('{\n  "Accept": "••••••••",\n  "__proto__": "••••••••"\n}')
  expect(headersJson({ rows: [], masked: false })).toBe('')
})

test.each(['{', '[]', 'null', '"text"', '{ "Accept": 1 }', '{ "no good name": "x" }'])(
  '%s is no map of headers',
  (json) => expect(parseHeadersJson(json)).toBeNull(),
)

test('a blank text means no headers', () => expect(parseHeadersJson(' \n')).toEqual([]))

test.each([
  ['no name', { name: '', value: 'x' }, 'Give the header a name'],
  [
    'a space in the name',
    { name: 'X Key', value: 'x' },
    'Use only letters, digits and hyphens in a header name',
  ],
  ['no value', { name: 'X-Key', value: ' ' }, 'Give the header a value, or remove it'],
  [
    'a line break in the value',
    { name: 'X-Key', value: 'a\nb' },
    'A header value has no line breaks and no characters beyond Latin-1',
  ],
  ['a name twice', { name: 'ACCEPT', value: 'x' }, 'There is already a header with this name'],
])('a row with %s is refused', (_what, row, message) => {
  expect(headerProblem({ rows: [{ name: 'Accept', value: '*/*' }, row], index: 1 })?.message).toBe(message)
})

test('a blank row is passed over, and a value that is stored but not shown may stay empty', () => {
  expect(headerProblem({ rows: [{ name: '', value: '' }], index: 0 })).toBeUndefined()
  expect(headerProblem({ rows: [{ name: 'X-Key', value: '' }], index: 0, kept: ['x-key'] })).toBeUndefined()
})

test('a draft keeps names; back in the form they have the values that are stored', () => {
  const draft = withoutValues([
    { name: 'X-Key', value: 'secret' },
    { name: 'X-New', value: 'typed' },
  ])
  expect(JSON.stringify(draft)).not.toMatch(/secret|typed/)
  expect(withStoredValues({ rows: draft, stored: { 'X-Key': 'secret' } })).toEqual([
    { name: 'X-Key', value: 'secret' },
    { name: 'X-New', value: '' },
  ])
})
