import type { HttpTool } from '@catenary/contracts'
import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  checkHttp,
  httpChanges,
  httpDraftOf,
  httpFieldOf,
  httpForm,
  httpInput,
  httpInputOf,
  httpTextChanges,
  httpTextsWith,
  httpToolOf,
  readyHttpOf,
} from './http-form.ts'

const stored: HttpTool = {
  type: 'http',
  method: 'POST',
  url: 'https://shop.example.org/v1/orders/{{triage.order}}/refunds?lang=$<lang>',
  query: [{ name: 'dry run', value: ' {{triage.dry}} ' }],
  headers: [
    { name: 'Authorization', value: 'Bearer $<shop_key>' },
    { name: 'X-Team', value: '' },
  ],
  body: { type: 'json', content: '{"amount": {{triage.amount}}, "note": "{{triage.summary}}"}' },
  answer: {
    as: 'json',
    schema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  safeToRepeat: true,
}
const saved = z.object(httpForm).superRefine(checkHttp).transform(httpToolOf)
const all = z.object(httpInput)
type Input = z.output<typeof all>
const filled = (change: Partial<Input> = {}): Input => ({ ...httpInputOf({ tool: stored }), ...change })
const part = (name: string, value = '', isSealed = false) => ({
  key: name + value,
  name,
  value,
  isSealed,
  isReplaced: false,
})
const problems = (change: Partial<Input>) =>
  saved.safeParse(filled(change)).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

const NOTHING = { type: 'none', content: '' } as const

test.each<[string, HttpTool]>([
  ['JSON by a schema', stored],
  ['any JSON', { ...stored, answer: { as: 'json' } }],
  ['a schema that allows anything', { ...stored, answer: { as: 'json', schema: {} } }],
  ['a text', { ...stored, answer: { as: 'text' }, safeToRepeat: false }],
  ['a text that is sent', { ...stored, body: { type: 'text', content: 'Say {{triage.summary}}\n' } }],
  ['a form', { ...stored, body: { type: 'form', content: 'amount={{triage.amount}}\nnote=a' } }],
  ['no body', { ...stored, method: 'PUT', body: NOTHING }],
  ['a GET', { ...stored, method: 'GET', body: NOTHING, query: [], headers: [] }],
  [
    'sealed parts',
    {
      ...stored,
      url: { sealed: true, origin: 'https://hooks.example.org' },
      query: [{ name: 'key', sealed: true }],
      headers: [{ name: 'Authorization', sealed: true }],
    },
  ],
])('what is stored comes through the form as it is: %s', (_, tool) => {
  expect(saved.parse(httpInputOf({ tool }))).toEqual(tool)
})

test('A GET call drops the body that was written, and the form still has it for another method.', () => {
  const input = filled({ method: 'GET', body: 'not JSON' })
  expect(saved.parse(input).body).toEqual(NOTHING)
  expect(readyHttpOf(input).body).toEqual(NOTHING)
  expect(problems({ body: 'not JSON' })[0]?.[0]).toBe('body')
})

test('What can’t be called is refused at its field: address, names, values, body and answer.', () => {
  expect(problems({})).toEqual([])
  expect(problems({ address: ' ' })[0]).toEqual(['address', 'Write the address'])
  expect(problems({ address: 'ftp://a.example' })).toEqual([
    ['address', 'Write an address that begins with https:// or http://.'],
  ])
  expect(problems({ address: 'https://{{triage.host}}/v1' })[0]?.[0]).toBe('address')
  expect(problems({ query: [part('page', '2'), part(' ')] })).toEqual([
    ['query.1.name', 'Name the parameter'],
  ])
  expect(problems({ headers: [part('X Team')] })).toEqual([
    ['headers.0.name', 'Use only letters, digits and hyphens in a header name'],
  ])
  expect(problems({ headers: [part('X-Team'), part('x-team')] })).toEqual([
    ['headers.1.name', 'Another header has this name already'],
  ])
  expect(problems({ headers: [part('X-Team', 'a'.repeat(8_001))] })).toEqual([
    ['headers.0.value', 'At most 8,000 characters'],
  ])
  expect(problems({ body: ' ' })[0]).toEqual(['body', 'Write what is sent, or choose None'])
  expect(problems({ body: '{"amount": }' })[0]?.[0]).toBe('body')
  expect(problems({ bodyType: 'form', body: '={{triage.amount}}' })[0]?.[0]).toBe('body')
  expect(problems({ answer: { type: 'json', unfinished: '{' } })[0]?.[0]).toBe('answer')
  const all = problems({ address: 'https://{{host}}', headers: [part('a'), part('a')], body: '{' })
  expect(all.map(([path]) => path)).toEqual(['address', 'headers.1.name', 'body'])
})

const SEAL = { origin: '', isReplaced: false }

test('A sealed value is sent as it was typed, is in no draft, and takes no other name.', () => {
  const input = filled({
    address: 'https://hooks.example.org/T0',
    addressSeal: SEAL,
    headers: [{ ...part('Authorization', '', true), value: ' Bearer {triage} ' }],
  })
  expect(saved.parse(input)).toMatchObject({
    url: { sealed: true, value: 'https://hooks.example.org/T0' },
    headers: [{ name: 'Authorization', sealed: true, value: 'Bearer {triage}' }],
  })
  expect(JSON.stringify({ ...input, ...httpDraftOf(input) })).not.toMatch(/T0|Bearer/)
  expect(httpTextsWith(input, () => 'changed')).toMatchObject({
    address: input.address,
    headers: input.headers,
    body: 'changed',
  })
  expect(problems({ headers: [part('Authorization', 'Bearer $<key>', true)] })).toEqual([
    ['headers.0.value', 'A sealed value holds no reference'],
  ])
  expect(problems({ addressSeal: SEAL, address: '' })).toEqual([['address', 'Write the address']])
  expect(problems({ addressSeal: SEAL, address: 'hooks' })[0]?.[0]).toBe('address')
  expect(problems({ query: [part('k', 'a', true), part('k', 'b', true)] })).toEqual([
    ['query.1.name', 'Another sealed value has this name already'],
  ])
})

test('JSON without fields is any JSON.', () => {
  expect(saved.parse(filled({ answer: { type: 'json', unfinished: [] } })).answer).toEqual({ as: 'json' })
  expect(saved.parse(filled({ answer: { type: 'json', unfinished: ' ' } })).answer).toEqual({ as: 'json' })
})

test('a field that the server refuses is found in the form', () => {
  expect(
    ['tool.url', 'tool.headers.1.name', 'tool.query.0.value', 'tool.body.content', 'tool.answer.schema'].map(
      httpFieldOf,
    ),
  ).toEqual(['address', 'headers.1.name', 'query.0.value', 'body', 'answer'])
  expect(httpFieldOf('outputVariableName')).toBe('outputVariableName')
})

test('A name that becomes another changes address, query, headers and body.', () => {
  const input = filled()
  const renamed = { ...input, ...httpTextsWith(input, (text) => text.replaceAll('triage', 'mail')) }
  expect(saved.parse(renamed)).toEqual(JSON.parse(JSON.stringify(stored).replaceAll('triage', 'mail')))
})

test('Two versions of a step that calls a service differ in sentences, its body as a text.', () => {
  const after: HttpTool = {
    ...stored,
    method: 'PUT',
    query: [],
    body: { type: 'text', content: 'Refund it.' },
    answer: { as: 'json' },
    safeToRepeat: false,
  }
  const sides = { before: { tool: stored }, after: { tool: after } }
  expect(httpChanges(sides)).toEqual([
    { label: 'Method', before: 'POST', after: 'PUT' },
    { label: 'Query', before: 'dry run:  {{triage.dry}} ', after: '' },
    { label: 'Kind of body', before: 'JSON', after: 'Text' },
    { label: 'What comes back', before: expect.stringMatching(/^JSON by schema\n/), after: 'JSON' },
    { label: 'Safe to repeat', before: 'Yes', after: 'No' },
  ])
  expect(httpTextChanges(sides)).toEqual([
    { label: 'Body', before: stored.body.content, after: 'Refund it.' },
  ])
})

test('a step that is new is told of as a whole, and one that calls nothing not at all', () => {
  const labels = httpChanges({ before: {}, after: { tool: stored } }).map(({ label }) => label)
  expect(labels).toEqual([
    'Method',
    'Address',
    'Query',
    'Headers',
    'Kind of body',
    'What comes back',
    'Safe to repeat',
  ])
  expect(httpChanges({ before: {}, after: {} })).toEqual([])
})
