import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressTemplateError, readAddressTemplate, renderAddress } from './address-template.ts'

const syntax = { outputs: true }
const render = (source: string, values: Record<string, string>) =>
  renderAddress(source, { syntax, read: ({ raw }) => ({ text: values[raw] ?? '' }) })
    .map(({ text }) => text)
    .join('')

test('a value stays the one segment or query value that it fills, whatever it holds', () => {
  const hostile = fc.constantFrom(
    '/',
    '//',
    '../../..',
    '%2e%2e',
    '?a=b',
    '#',
    '&',
    '@evil.example',
    '\\',
    '\r\n',
    ' ',
    '\0',
    '\ud800',
  )
  const anyValue = fc.oneof(hostile, fc.string({ unit: 'binary', minLength: 1 }))
  fc.assert(
    fc.property(anyValue, fc.oneof(anyValue, fc.constant('')), (segment, value) => {
      let address: string
      try {
        address = render('https://shop.example/v1/{{a}}/refunds?to=$<b>&x=1', {
          '{{a}}': segment,
          '$<b>': value,
        })
      } catch (error) {
        expect(error).toBeInstanceOf(AddressTemplateError)
        expect(segment).toMatch(/^(\.|%2e){1,2}$/i)
        return
      }
      const url = new URL(address)
      expect(url.origin).toBe('https://shop.example')
      const segments = url.pathname.split('/')
      expect(segments).toHaveLength(4)
      expect(decodeURIComponent(segments[2] ?? '')).toBe(segment.toWellFormed())
      expect([...url.searchParams]).toEqual([
        ['to', value.toWellFormed()],
        ['x', '1'],
      ])
      expect(url.hash).toBe('')
    }),
    { numRuns: 500 },
  )
})

test.each(['.', '..', '%2e', '.%2E', ''])('a segment can’t become %j', (text) => {
  expect(() => render('https://shop.example/items/{{id}}', { '{{id}}': text })).toThrow(
    'can’t stand in the path',
  )
})

test('an address is told by its origin, and by the rest as it is written', () => {
  expect(readAddressTemplate('HTTPS://Shop.Example:443/v1/{{a}}?b=$<c>', syntax)).toEqual({
    origin: 'https://shop.example',
    rest: '/v1/{{a}}?b=$<c>',
  })
  expect(readAddressTemplate('http://shop.example:8080', syntax)).toEqual({
    origin: 'http://shop.example:8080',
    rest: '/',
  })
})

test.each([
  ['https://{{host}}/a', 'The host of an address can’t be a reference'],
  ['https://shop.example:{{port}}/a', 'The host of an address can’t be a reference'],
  ['{{scheme}}://shop.example/a', 'Write an address that begins'],
  ['$<address>', 'Write an address that begins'],
  ['ftp://shop.example/', 'Write an address that begins'],
  ['https://ana:secret@shop.example/', 'must not carry a user name'],
  ['https://shop.example\\@evil.example/', 'Write an address that begins'],
  ['https://shop.example/a#b', 'no part behind #'],
  ['https://shop.example/a-{{b}}', 'A reference stands for a whole part'],
  ['https://shop.example/{{a}}{{b}}', 'A reference stands for a whole part'],
  ['https://shop.example/a?{{b}}=1', 'A reference stands for a whole part'],
  ['https://shop.example/a?b=x{{c}}', 'A reference stands for a whole part'],
  ['https://shop.example/a/../b', 'no part that is . or ..'],
  ['https://shop.example/a/%2e%2E/b', 'no part that is . or ..'],
  ['https://shop.example/a b', 'Percent-encode it'],
  ['https://shop.example/a%zz', 'Percent-encode it'],
  ['https:///a', 'not a valid address'],
  ['https://shop.example:99999/a', 'not a valid address'],
])('%s is refused', (source, message) => {
  expect(() => readAddressTemplate(source, syntax)).toThrow(message)
})

test('what is read is what is called, for every literal address', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: false }), (source) => {
      let address: string
      try {
        address = render(source, {})
      } catch (error) {
        expect(error).toBeInstanceOf(AddressTemplateError)
        return
      }
      expect(new URL(address).href).toBe(new URL(source).href)
    }),
  )
})
