import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { readSources } from './lib/sources.ts'

/** An address of our own API as a text of its own: a call names its endpoint by the key, which the compiler knows. */
const ADDRESS = /(['"`])\/api\/[^'"`]+/g
/** A comment in front of what its table says anyway. */
const NAMED = /^\s*(?:\/\*\*|\/\/|\*) (?:GET|POST|PUT|PATCH|DELETE) \/api\/\S+(?: \*\/)?$/gm
/** What is no endpoint: every address below it that none has. */
const CATCH_ALL = /\/\*$/

const found = (text: string): string[] => [
  ...(text.match(ADDRESS) ?? []).filter((address) => !CATCH_ALL.test(address)),
  ...(text.match(NAMED) ?? []),
]

test('no address of the API is written beside the tables of endpoints', () => {
  const written = readSources(root).flatMap(({ file, text }) => found(text).map((one) => `${file}: ${one}`))
  expect(written).toEqual([])
})

test.each([
  "read({ path: '/api/tags' })",
  'write({ path: `/api/tags` })',
  '<a href="/api/docs">',
  '/** PATCH /api/tags/{id} */\n',
])('%s is found', (text) => {
  expect(found(text)).toHaveLength(1)
})

test.each([
  "api('GET /api/tags', { list: tag })",
  "url.startsWith('/api/')",
  "'/api/public/*': { GET: 'guest' }",
  '/** As `GET /api/tags` lists them. */',
])('%s is none', (text) => {
  expect(found(text)).toEqual([])
})
