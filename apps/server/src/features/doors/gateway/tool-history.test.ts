import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

const CALLED = 'Assistant: Called the tool w with {}'
const ANSWERED = 'Assistant: The tool answered: sunny'
const call = { name: 'w', arguments: '{}' }
const ask = { role: 'user', content: 'Weather?' }
const again = { role: 'user', content: 'And tomorrow?' }
const parts = [
  { type: 'text', text: 'sunny' },
  { type: 'image', source: {} },
]

test.each([
  [
    'chat: tool_calls and tool',
    '/v1/chat/completions',
    {
      messages: [
        ask,
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] },
        { role: 'tool', tool_call_id: 'c', content: 'sunny' },
        again,
      ],
    },
    'messages.tool_calls, messages.tool',
  ],
  [
    'chat: function_call and function, the former form',
    '/v1/chat/completions',
    {
      messages: [
        ask,
        { role: 'assistant', content: null, function_call: call },
        { role: 'function', name: 'w', content: 'sunny' },
        again,
      ],
    },
    'messages.tool_calls, messages.tool',
  ],
  [
    'messages: tool_use and tool_result beside words',
    '/v1/messages',
    {
      max_tokens: 50,
      messages: [
        ask,
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'w', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'sunny' },
            { type: 'text', text: 'And tomorrow?' },
          ],
        },
      ],
    },
    'messages.tool_use, messages.tool_result',
  ],
  [
    'responses: function_call and its output',
    '/v1/responses',
    {
      input: [
        ask,
        { type: 'function_call', call_id: 'c', ...call },
        { type: 'function_call_output', call_id: 'c', output: 'sunny' },
        again,
      ],
    },
    'input.function_call, input.function_call_output',
  ],
])(
  'Earlier calls of a caller’s tools go on as text of the conversation and are named as ignored. Only a forced choice is refused. (%s)',
  async (_what, path, body, ignored) => {
    const { value } = await gateway.serve(['{{input}} | {{input_context}}'])
    const reply = await gateway.post(path, value, { model: 'any', ...body })
    expect(reply.status, await reply.clone().text()).toBe(200)
    expect(reply.headers.get('x-catenary-ignored')).toBe(ignored)
    expect(gateway.sent()).toEqual([
      `And tomorrow? | User: Weather?\n\n${CALLED}\n\n${ANSWERED}\n\nUser: And tomorrow?`,
    ])
  },
)

test('a vendor’s own tools are told alike, and what they gave that is no text by its kind', async () => {
  const { value } = await gateway.serve(['{{input_context}}'])
  const content = [
    { type: 'server_tool_use', id: 't', name: 'web_search', input: { query: 'sun' } },
    { type: 'web_search_tool_result', tool_use_id: 't', content: parts },
  ]
  const messages = [ask, { role: 'assistant', content }, again]
  await gateway.post('/v1/messages', value, { model: 'any', max_tokens: 50, messages })
  const input = [ask, { type: 'web_search_call', id: 'c', action: { query: 'sun' } }, again]
  await gateway.post('/v1/responses', value, { model: 'any', input })
  const [asAnthropic, asOpenai] = gateway.sent()
  expect(asAnthropic).toContain('Called the tool web_search with {"query":"sun"}')
  expect(asAnthropic).toContain('The tool answered: sunny\n[image]')
  expect(asOpenai).toContain('Called the tool web_search_call with {"query":"sun"}')
})

test('After a tool’s answer the question stays the person’s last words.', async () => {
  const { value } = await gateway.serve(['{{input}}'])
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: parts }] }
  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'w', input: {} }] }
  const body = { model: 'any', max_tokens: 50, messages: [ask, called, result] }
  expect((await gateway.post('/v1/messages', value, body)).status).toBe(200)
  expect(gateway.sent()).toEqual(['Weather?'])
})
