import type { HttpTool } from '@catenary/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHttpFault } from './find-http-fault.ts'
import { renderHttp } from './render-http.ts'

const syntax = { outputs: true, jsonOutputs: new Set(['triage']) }

const refund: HttpTool = {
  type: 'http',
  method: 'POST',
  url: 'https://shop.example.org/v1/orders/{{order}}/refunds',
  query: [
    { name: 'dry run', value: 'no & {{order}}' },
    { name: 'key', value: 'a&b' },
  ],
  headers: [
    { name: 'Authorization', value: 'Bearer s3cret' },
    { name: 'X-Order', value: 'order {{order}}' },
  ],
  body: { type: 'json', content: '{"amount": {{triage.amount}}, "note": "for {{order}}"}' },
  answer: { as: 'json' },
  safeToRepeat: false,
}

const values: Record<string, { text: string; json?: string }> = {
  '{{order}}': { text: '20/418' },
  '{{triage.amount}}': { text: '49.90', json: '49.90' },
}
const rendered = (tool: HttpTool) => renderHttp(tool, { syntax, read: ({ raw }) => values[raw] })
const shown = (tool: HttpTool) =>
  rendered(tool)
    .shown.map(({ text }) => text)
    .join('')

test('a call has its values where they belong, and is shown as it goes out', () => {
  expect(findHttpFault(refund, syntax)).toBeUndefined()
  expect(rendered(refund).call).toEqual({
    type: 'http',
    method: 'POST',
    url: 'https://shop.example.org/v1/orders/20%2F418/refunds?dry%20run=no%20%26%2020%2F418&key=a%26b',
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer s3cret',
      'X-Order': 'order 20/418',
    },
    body: '{"amount": 49.90, "note": "for 20/418"}',
  })
  expect(shown(refund)).toBe(
    [
      'POST https://shop.example.org/v1/orders/20%2F418/refunds?dry%20run=no%20%26%2020%2F418&key=a%26b',
      'Content-Type: application/json',
      'Authorization: Bearer s3cret',
      'X-Order: order 20/418',
      '',
      '{"amount": 49.90, "note": "for 20/418"}',
    ].join('\n'),
  )
})

test('what a call shows names where each value comes from', () => {
  expect(rendered(refund).shown.filter(({ from }) => from !== null)).toEqual([
    { text: '20%2F418', from: { kind: 'output', name: 'order' } },
    { text: '20%2F418', from: { kind: 'output', name: 'order' } },
    { text: '20/418', from: { kind: 'output', name: 'order' } },
    { text: '49.90', from: { kind: 'output', name: 'triage.amount' } },
    { text: '20/418', from: { kind: 'output', name: 'order' } },
  ])
})

test('a form has its lines encoded, and a text its values as they are', () => {
  const form: HttpTool = {
    ...refund,
    body: { type: 'form', content: 'order={{order}}\n\nnote=a b&c\nempty=' },
  }
  expect(rendered(form).call.body).toBe('order=20%2F418&note=a+b%26c&empty=')
  const text: HttpTool = { ...refund, body: { type: 'text', content: 'Order {{order}} of {{nobody}}' } }
  expect(rendered(text).call.body).toBe('Order 20/418 of {{nobody}}')
})

test('no value of a reference reaches another part of the call than the one that names it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      fc.pre(!/^(\.|%2e){1,2}$/i.test(text))
      const { call } = renderHttp(refund, {
        syntax,
        read: ({ raw }) => (raw === '{{order}}' ? { text } : { text: '1', json: '1' }),
      })
      const url = new URL(call.url)
      expect(url.origin).toBe('https://shop.example.org')
      expect([...url.searchParams.keys()]).toEqual(['dry run', 'key'])
      expect(Object.keys(call.headers)).toEqual(['Content-Type', 'Authorization', 'X-Order'])
      expect(JSON.parse(call.body ?? '')).toEqual({ amount: 1, note: `for ${text}` })
    }),
  )
})

test.each([
  ['tool.url', { url: 'https://{{order}}/' }],
  ['tool.query.0.name', { query: [{ name: '{{order}}', value: '' }] }],
  [
    'tool.headers.1.name',
    {
      headers: [
        { name: 'A', value: '' },
        { name: 'a', value: '' },
      ],
    },
  ],
  ['tool.body', { body: { type: 'json' as const, content: '{{{order}}: 1}' } }],
  ['tool.body', { body: { type: 'form' as const, content: '{{order}}=1' } }],
  ['tool.body', { method: 'GET' as const }],
])('a fault of %s is found in %j', (path, change) => {
  expect(findHttpFault({ ...refund, ...change }, syntax)?.path).toBe(path)
})
