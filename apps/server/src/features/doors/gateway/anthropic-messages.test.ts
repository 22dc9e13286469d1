import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf, type Gateway, startGateway } from '../../../testing/gateway.ts'

const hello = [{ role: 'user', content: 'Hello' }]
let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

const named = (event: string, fields: string) => `event: ${event}\ndata: {"type":"${event}"${fields}}`

describe('POST /v1/messages', () => {
  const ask = { model: 'any', max_tokens: 100, messages: hello }

  test('answers as the Messages API does', async () => {
    const { value, model } = await gateway.serve()
    gateway.fake.reply({ text: 'Hi there', inputTokens: 5, outputTokens: 2 })
    const reply = await gateway.post('/v1/messages', value, { ...ask, model })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('request-id')).toBeTruthy()
    expect(await reply.json()).toEqual({
      id: expect.stringMatching(/^msg_\d+$/),
      ...{ type: 'message', role: 'assistant', model, content: [{ type: 'text', text: 'Hi there' }] },
      ...{ stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 5, cache_read_input_tokens: 0, output_tokens: 2 },
    })
  })

  test('POST /v1/messages takes a bearer token, the model ‘chain-{chainId}’, messages and max_tokens; reply, events and errors are Anthropic’s.', async () => {
    const { value } = await gateway.serve()
    gateway.fake.reply({ text: ['Hi ', 'there'], delayMs: 20, inputTokens: 5, outputTokens: 2 })
    const events = await eventsOf(await gateway.post('/v1/messages', value, { ...ask, stream: true }))
    expect(events).toEqual([
      named(
        'message_start',
        ',"message":{"id":"msg_…","type":"message","role":"assistant","model":"chain-N","content":[],' +
          '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":2,"output_tokens":0}}',
      ),
      named('content_block_start', ',"index":0,"content_block":{"type":"text","text":""}'),
      named('ping', ''),
      named('content_block_delta', ',"index":0,"delta":{"type":"text_delta","text":"Hi "}'),
      named('content_block_delta', ',"index":0,"delta":{"type":"text_delta","text":"there"}'),
      named('content_block_stop', ',"index":0'),
      named(
        'message_delta',
        ',"delta":{"stop_reason":"end_turn","stop_sequence":null},' +
          '"usage":{"input_tokens":5,"cache_read_input_tokens":0,"output_tokens":2}',
      ),
      named('message_stop', ''),
    ])
  })

  test('{{input_context}} holds system texts and turns with their labels, {{input}} the last user message (D28).', async () => {
    const { value } = await gateway.serve(['{{input_context}} | {{input}}'])
    const mark = { cache_control: { type: 'ephemeral' } }
    const reply = await gateway.post('/v1/messages', value, {
      ...ask,
      system: [
        { type: 'text', text: 'Be kind.', ...mark },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'two' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'text', text: 'A' },
          ],
        },
        { role: 'system', content: 'Now in French.' },
        { role: 'user', content: 'Go on' },
      ],
    })
    expect(reply.headers.get('x-catenary-ignored')).toBe('cache_control')
    expect(gateway.sent()).toEqual([
      'System: Be kind.\nBe brief.\n\nUser: One\ntwo\n\nAssistant: A\n\nSystem: Now in French.\n\nUser: Go on | Go on',
    ])
  })

  test('max_tokens and stop sequences apply to the last step.', async () => {
    const { value } = await gateway.serve(['one {{input}}', { content: 'two {{a}}', maxTokens: 10 }])
    const reply = await gateway.post('/v1/messages', value, { ...ask, stop_sequences: ['END'] })
    expect(reply.status).toBe(200)
    const [first, last] = gateway.fake.journal.map(({ body }) => body)
    expect(first).not.toHaveProperty('stop')
    expect(first).not.toHaveProperty('max_tokens')
    expect(last).toMatchObject({ stop: ['END'], max_tokens: 10 })
  })

  test.each([
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
  ] as const)('an answer that ends by %s says so', async (finish, reason) => {
    const { value } = await gateway.serve()
    gateway.fake.reply({ text: 'cut', finish })
    expect(await (await gateway.post('/v1/messages', value, ask)).json()).toMatchObject({
      stop_reason: reason,
    })
  })

  test('JSON of a schema is answered where the last step has one', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const last = { content: 'two {{a}}', output: { type: 'json', schema } }
    const { value } = await gateway.serve(['one {{input}}', last])
    gateway.fake.reply({ text: 'A' }, { text: '{"a": "b"}' })
    const output_config = { format: { type: 'json_schema', schema }, effort: 'high' }
    const reply = await gateway.post('/v1/messages', value, { ...ask, output_config })
    expect(await reply.json()).toMatchObject({ content: [{ text: '{"a": "b"}' }] })
    expect(gateway.fake.journal).toHaveLength(2)
  })

  test('what a coding agent sends is accepted, and named', async () => {
    const { value, chain } = await gateway.serve()
    const agent = {
      tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
      tool_choice: { type: 'auto' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [] },
      output_config: { effort: 'medium' },
      metadata: { user_id: 'u' },
      temperature: 1,
    }
    const reply = await gateway.post(
      '/v1/messages?beta=true',
      value,
      { ...ask, ...agent },
      { 'anthropic-beta': 'x-1' },
    )
    const ignored =
      'tools, thinking, context_management, metadata, temperature, output_config, anthropic-beta'
    expect(reply.headers.get('x-catenary-ignored')).toBe(ignored)
    expect((await gateway.lastRun(chain.id)).apiCall).toEqual({
      path: '/v1/messages',
      ignored: ignored.split(', '),
    })
  })

  test.each([
    ['messages.0.content.0', { messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] }],
    ['tool_choice', { tool_choice: { type: 'any' } }],
    ['output_config.format', { output_config: { format: { type: 'yaml' } } }],
    ['output_config.format', { output_config: { format: { type: 'json_schema', schema: {} } } }],
    ['max_tokens', { max_tokens: undefined }],
    ['messages', { messages: [] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
  ])('%s is refused by its name', async (param, fields) => {
    const { value } = await gateway.serve()
    const reply = await gateway.post('/v1/messages', value, { ...ask, ...fields })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(param) },
      request_id: reply.headers.get('request-id'),
    })
    expect(gateway.fake.journal).toEqual([])
  })

  test('count_tokens estimates, and says so (D46).', async () => {
    const { value } = await gateway.serve()
    const body = {
      model: 'x',
      messages: [{ role: 'user', content: 'A sentence of about ten tokens, or so.' }],
    }
    const reply = await gateway.post('/v1/messages/count_tokens', value, body)
    expect(await reply.json()).toEqual({ input_tokens: 10 })
    expect(reply.headers.get('x-catenary-estimate')).toBe('true')
    const nulls = { ...body, system: null, tool_choice: null }
    expect(await (await gateway.post('/v1/messages/count_tokens', value, nulls)).json()).toEqual({
      input_tokens: 10,
    })
  })

  test('While earlier steps run, a stream gets their names if the token says so.', async () => {
    const steps = [
      { content: 'one {{input}}', title: 'Gather' },
      { content: 'two {{a}}', title: 'Write' },
    ]
    const { value } = await gateway.serve(steps, { showsProgress: true })
    gateway.fake.reply({ text: 'A' }, { text: 'Done' })
    const events = await eventsOf(await gateway.post('/v1/messages', value, { ...ask, stream: true }))
    expect(events.slice(1, 8)).toEqual([
      named(
        'content_block_start',
        ',"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}',
      ),
      named(
        'content_block_delta',
        ',"index":0,"delta":{"type":"thinking_delta","thinking":"Step 1 of 2: Gather\\n"}',
      ),
      named('content_block_delta', ',"index":0,"delta":{"type":"signature_delta","signature":"catenary"}'),
      named('content_block_stop', ',"index":0'),
      named('content_block_start', ',"index":1,"content_block":{"type":"text","text":""}'),
      named('ping', ''),
      named('content_block_delta', ',"index":1,"delta":{"type":"text_delta","text":"Done"}'),
    ])
  })
})
