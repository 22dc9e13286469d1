import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf, type Gateway, startGateway } from '../../../testing/gateway.ts'

const uncached = { prompt_tokens_details: { cached_tokens: 0 } }
const hello = [{ role: 'user', content: 'Hello' }]
let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

describe('POST /v1/chat/completions', () => {
  const ask = { model: 'any', messages: hello }
  const chunk = (delta: string, finish = 'null') =>
    'data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":0,"model":"chain-N",' +
    `"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]`

  test('answers as the Chat Completions API does', async () => {
    const { value, model } = await gateway.serve()
    gateway.fake.reply({ text: 'Hi there', inputTokens: 5, outputTokens: 2 })
    const reply = await gateway.post('/v1/chat/completions', value, { ...ask, model })
    expect(reply.headers.get('x-request-id')).toBeTruthy()
    expect(await reply.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      ...{ object: 'chat.completion', created: expect.any(Number), model },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi there', refusal: null, annotations: [] },
          ...{ logprobs: null, finish_reason: 'stop' },
        },
      ],
      usage: { prompt_tokens: 5, ...uncached, completion_tokens: 2, total_tokens: 7 },
    })
  })

  test('POST /v1/chat/completions has OpenAI’s reply and chunks, usage where it is asked for, and [DONE].', async () => {
    const { value } = await gateway.serve()
    gateway.fake.reply({ text: ['Hi ', 'there'], delayMs: 20 })
    const events = await eventsOf(await gateway.post('/v1/chat/completions', value, { ...ask, stream: true }))
    expect(events).toEqual([
      `${chunk('{"role":"assistant","content":"","refusal":null}')}}`,
      `${chunk('{"content":"Hi "}')}}`,
      `${chunk('{"content":"there"}')}}`,
      `${chunk('{}', '"stop"')}}`,
      'data: [DONE]',
    ])
    gateway.fake.reply({ text: 'Hi', inputTokens: 5, outputTokens: 2 })
    const options = { stream: true, stream_options: { include_usage: true } }
    const counted = await eventsOf(await gateway.post('/v1/chat/completions', value, { ...ask, ...options }))
    expect(counted.slice(1)).toEqual([
      `${chunk('{"content":"Hi"}')},"usage":null}`,
      `${chunk('{}', '"stop"')},"usage":null}`,
      'data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":0,"model":"chain-N","choices":[],' +
        '"usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens":2,"total_tokens":7}}',
      'data: [DONE]',
    ])
  })

  test('Each wire’s usage is the sum of all steps, and says what of the input was read from caches.', async () => {
    const { value } = await gateway.serve(['one {{input}}', 'two {{a}}'])
    gateway.fake.reply(
      { text: 'A', inputTokens: 5, outputTokens: 2 },
      { text: 'B', inputTokens: 30, outputTokens: 10 },
    )
    const reply = await gateway.post('/v1/chat/completions', value, ask)
    expect(await reply.json()).toMatchObject({
      usage: { prompt_tokens: 35, completion_tokens: 12, total_tokens: 47 },
    })
  })

  test('a developer’s words are a system’s', async () => {
    const { value } = await gateway.serve(['{{input_context}}'])
    const messages = [{ role: 'developer', content: 'Be kind.' }, ...hello]
    await gateway.post('/v1/chat/completions', value, { ...ask, messages })
    expect(gateway.sent()).toEqual(['System: Be kind.\n\nUser: Hello'])
  })

  test.each([
    [
      'messages.0.content.1.image_url.url',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }] },
    ],
    [
      'messages.0.content.0',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    ],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } }],
    ['messages', { messages: [{ role: 'tool', content: 'x', tool_call_id: 'y' }] }],
    ['messages.0.role', { messages: [{ role: 'critic', content: 'x' }] }],
    ['model', { model: 7 }],
  ])('What would change the meaning of a call is refused by name (D43). (%s)', async (param, fields) => {
    const { value } = await gateway.serve()
    const reply = await gateway.post('/v1/chat/completions', value, { ...ask, ...fields })
    expect(reply.status).toBe(400)
    const error = {
      type: 'invalid_request_error',
      param,
      code: null,
      message: expect.stringContaining(param),
    }
    expect(await reply.json()).toEqual({ error })
    expect(gateway.fake.journal).toEqual([])
  })

  test('Hints are accepted, and named in x-catenary-ignored and in the run (D43).', async () => {
    const { value } = await gateway.serve()
    const hints = {
      tools: [{ type: 'function' }],
      tool_choice: 'auto',
      temperature: 0.2,
      seed: 1,
      store: true,
    }
    const idle = { n: 1, logprobs: false, stop: null, user: null, logit_bias: {}, parallel_tool_calls: false }
    const format = { response_format: { type: 'text' } }
    const reply = await gateway.post('/v1/chat/completions', value, { ...ask, ...hints, ...idle, ...format })
    expect(reply.headers.get('x-catenary-ignored')).toBe('tools, temperature, seed, store')
  })
})
