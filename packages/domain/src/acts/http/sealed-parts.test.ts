import type { HttpTool } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { findSealedFault, isSameCall, sealedPartsOf, splitSealed, strikeSealed } from './sealed-parts.ts'

const tool: HttpTool = {
  type: 'http',
  method: 'POST',
  url: 'https://Shop.example.org/v1/{{a}}',
  query: [{ name: 'key', sealed: true }],
  headers: [
    { name: 'X-Team', value: 'support' },
    { name: 'Authorization', sealed: true },
  ],
  body: { type: 'none', content: '' },
  answer: { as: 'json', schema: { type: 'object', properties: {} } },
  safeToRepeat: false,
}

test('the sealed parts of a call have its origin and method', () => {
  expect(sealedPartsOf(tool)).toEqual({
    origin: 'https://shop.example.org',
    method: 'POST',
    parts: [
      { part: 'query:key', kind: 'query', name: 'key', path: 'tool.query.0' },
      { part: 'header:authorization', kind: 'header', name: 'Authorization', path: 'tool.headers.1' },
    ],
  })
  const url = { sealed: true, origin: 'https://hooks.example.org' } as const
  expect(sealedPartsOf({ ...tool, url })).toMatchObject({
    origin: url.origin,
    parts: [{ part: 'url' }, {}, {}],
  })
  expect(sealedPartsOf({ ...tool, url: 'shop' }).origin).toBe('')
})

test('a tool as it was sent comes apart into what is kept and its values', () => {
  const { tool: kept, values } = splitSealed({
    ...tool,
    url: { sealed: true, value: 'https://hooks.example.org/T0?x=1' },
    headers: [
      { name: 'X-Team', value: 'support' },
      { name: 'Authorization', sealed: true, value: 'Bearer x' },
    ],
  })
  expect(kept).toEqual({ ...tool, url: { sealed: true, origin: 'https://hooks.example.org' } })
  expect([...values]).toEqual([
    ['url', { path: 'tool.url.value', value: 'https://hooks.example.org/T0?x=1' }],
    ['header:authorization', { path: 'tool.headers.1.value', value: 'Bearer x' }],
  ])
})

test('what can’t be sealed is a reference, what no header holds, and an address that is none', () => {
  expect(findSealedFault('query:a', 'a b & {c}')).toBeUndefined()
  expect(findSealedFault('header:a', 'Bearer ä')).toBeUndefined()
  expect(findSealedFault('header:a', 'Bearer \u2028')).toBeDefined()
  expect(findSealedFault('header:a', 'Bearer $<key>')).toBeDefined()
  expect(findSealedFault('url', 'https://hooks.example.org/T0/B1?c=d')).toBeUndefined()
  for (const address of [
    'hooks',
    'ftp://a.example.org',
    'https://u:p@a.example.org/',
    'https://a.example.org/#x',
  ])
    expect(findSealedFault('url', address)).toBeDefined()
})

test('two calls are the same whatever order their fields have and whatever is made of the answer', () => {
  const turned = Object.fromEntries(Object.entries(tool).toReversed()) as HttpTool
  expect(isSameCall({ tool }, { tool: { ...turned, answer: { as: 'text' } }, forEach: null })).toBe(true)
  const headers = tool.headers.toReversed()
  for (const other of [{ headers }, { method: 'PUT' as const }, { safeToRepeat: true }, { query: [] }])
    expect(isSameCall({ tool }, { tool: { ...tool, ...other } })).toBe(false)
})

test('a sealed value is struck in each form in which a service may write it', () => {
  const strike = (text: string, ...values: string[]) => strikeSealed(text, values)
  expect(strike('Bearer abcdefgh, abcdefgh', 'Bearer abcdefgh')).toBe('••••, ••••')
  expect(strike('a%2Fb%26c a\\/b&c a/b&amp;c', 'a/b&c')).toBe('•••• •••• ••••')
  expect(strike('{"said": "a\\"bcd"}', 'a"bcd')).toBe('{"said": "••••"}')
  expect(strike('POST /services/T0123456 T0123456', 'https://hooks.example.org/services/T0123456')).toBe(
    'POST •••• ••••',
  )
  expect(strike('a no', 'a')).toBe('a no')
})
