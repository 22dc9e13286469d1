import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const closed = (properties: object) => ({
  type: 'object',
  ...{ properties, required: Object.keys(properties), additionalProperties: false },
})
const own = closed({ city: { type: 'string' }, population: { type: 'integer' } })
const steps = [
  'one {{input}}',
  { content: 'two {{a}}', model: 'openai', output: { type: 'json', schema: own } },
]
const ANSWER = '{"city":"Bern","population":7}'

const messages = [{ role: 'user', content: 'Hello' }]
type Ask = (schema: object) => object
const json = { name: 'a', strict: true }
const WIRES: [string, string, Ask][] = [
  [
    '/v1/chat/completions',
    'response_format',
    (schema) => ({ messages, response_format: { type: 'json_schema', json_schema: { ...json, schema } } }),
  ],
  [
    '/v1/messages',
    'output_config.format',
    (schema) => ({ max_tokens: 50, messages, output_config: { format: { type: 'json_schema', schema } } }),
  ],
  [
    '/v1/responses',
    'text.format',
    (schema) => ({ input: 'Hello', text: { format: { type: 'json_schema', ...json, schema } } }),
  ],
]

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

const post = async (path: string, body: object) => {
  const { value } = await gateway.serve(steps)
  const reply = await gateway.post(path, value, { model: 'any', ...body })
  return { reply, error: ((await reply.clone().json()) as { error?: { message: string } }).error }
}

describe.each(WIRES)('%s', (path, param, ask) => {
  test.each([
    ['a field that no answer has', closed({ zzz: { type: 'string' } }), 'city is always returned there'],
    ['not every field that each answer has', closed({ city: { type: 'string' } }), 'population is always'],
    ['another type', { type: 'object', properties: { city: { type: 'array' } } }, 'city is string there'],
  ])(
    'A caller’s schema that no answer of the last step can match is refused by name before a model is asked (D73). (%s)',
    async (_what, schema, why) => {
      const { reply, error } = await post(path, ask(schema))
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([400, 'false'])
      expect(error?.message).toContain(`${param}: no answer can match both this schema`)
      expect(error?.message).toContain(why)
      expect(gateway.fake.journal).toEqual([])
    },
  )

  test('Where an answer may match a caller’s schema and doesn’t, the failure says that it was the caller’s (D73).', async () => {
    const asked = ask({ type: 'object', properties: { population: { type: 'integer', minimum: 100 } } })
    gateway.fake.reply({ text: 'A' }, { text: '{"city":"Bern","population":700}' })
    expect((await post(path, asked)).reply.status).toBe(200)
    gateway.fake.reply({ text: 'A' }, { text: ANSWER }, { text: ANSWER })
    const { reply, error } = await post(path, asked)
    expect(reply.status).toBe(path === '/v1/messages' ? 403 : 400)
    expect(error).toMatchObject({ code: 'chain_failed' })
    expect(error?.message).toContain('not the one in the request: population is 7, below 100')
  })
})

test('Just JSON (json_object) is given where the last step answers with it (D73).', async () => {
  const format = { type: 'json_object' }
  for (const [path, body] of [
    ['/v1/chat/completions', { messages, response_format: format }],
    ['/v1/responses', { input: 'Hello', text: { format } }],
  ] as const) {
    gateway.fake.reply({ text: 'A' }, { text: ANSWER })
    const { reply } = await post(path, body)
    expect(reply.status).toBe(200)
    expect(JSON.stringify(await reply.json())).toContain('Bern')
    const { value } = await gateway.serve()
    expect((await gateway.post(path, value, { model: 'any', ...body })).status).toBe(400)
  }
})
