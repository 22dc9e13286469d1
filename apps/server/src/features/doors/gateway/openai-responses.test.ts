import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Gateway, maskIds, startGateway } from '../../../testing/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

const ask = { model: 'any', input: 'Hello' }
const schema = { type: 'object', properties: { a: { type: 'string' } } }
const format = { type: 'json_schema', name: 'letter', schema, strict: true }
interface Said {
  type: string
  sequence_number: number
  [field: string]: unknown
}

async function eventsOf(reply: Response): Promise<Said[]> {
  const frames = maskIds(await reply.text())
    .trimEnd()
    .split('\n\n')
  return frames.map((text) => {
    const [event, data] = text.split('\n')
    const said = JSON.parse(data?.slice('data: '.length) ?? '') as Said
    expect(event).toBe(`event: ${said.type}`)
    return said
  })
}

test('answers as the Responses API does', async () => {
  const { value, model } = await gateway.serve()
  gateway.fake.reply({ text: 'Hi there', inputTokens: 5, outputTokens: 2 })
  const fields = { instructions: 'Be kind.', metadata: { a: 'b' }, max_output_tokens: 9 }
  const reply = await gateway.post('/v1/responses', value, { ...ask, model, ...fields })
  expect(await reply.json()).toEqual({
    id: expect.stringMatching(/^resp_\d+$/),
    ...{ object: 'response', created_at: expect.any(Number), status: 'completed', background: false },
    ...{ error: null, incomplete_details: null, instructions: 'Be kind.', max_output_tokens: 9 },
    ...{ metadata: { a: 'b' }, model, parallel_tool_calls: true, previous_response_id: null, prompt: null },
    ...{ reasoning: { effort: null, summary: null }, store: false, temperature: 1, top_p: 1 },
    ...{ completed_at: expect.any(Number), presence_penalty: 0, frequency_penalty: 0, top_logprobs: 0 },
    ...{ max_tool_calls: null, service_tier: 'default', safety_identifier: null, prompt_cache_key: null },
    ...{ text: { format: { type: 'text' } }, tool_choice: 'auto', tools: [], truncation: 'disabled' },
    output: [
      {
        id: expect.stringMatching(/^msg_\d+$/),
        ...{ type: 'message', status: 'completed', role: 'assistant' },
        content: [{ type: 'output_text', text: 'Hi there', annotations: [], logprobs: [] }],
      },
    ],
    usage: {
      ...{ input_tokens: 5, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } },
      ...{ output_tokens: 2, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 7 },
    },
  })
})

test('POST /v1/responses has OpenAI’s reply and its nine kinds of events (D39).', async () => {
  const { value } = await gateway.serve()
  gateway.fake.reply({ text: ['Hi ', 'there'], delayMs: 20 })
  const events = await eventsOf(await gateway.post('/v1/responses', value, { ...ask, stream: true }))
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
  const place = { item_id: 'msg_…', output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text: 'Hi there', annotations: [], logprobs: [] }
  const item = { id: 'msg_…', type: 'message', status: 'completed', role: 'assistant', content: [part] }
  expect(events[2]).toMatchObject({ output_index: 0, item: { ...item, status: 'in_progress', content: [] } })
  expect(events[3]).toMatchObject({ ...place, part: { ...part, text: '' } })
  expect(events[5]).toMatchObject({ ...place, delta: 'there', logprobs: [] })
  expect(events[6]).toMatchObject({ ...place, text: 'Hi there' })
  expect(events[7]).toMatchObject({ ...place, part })
  expect(events[8]).toMatchObject({ output_index: 0, item })
  expect(events[9]).toMatchObject({
    response: { status: 'completed', output: [item], usage: { total_tokens: 18 } },
  })
  expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } })
})

test('an answer that was cut is incomplete, and says why', async () => {
  const { value } = await gateway.serve()
  gateway.fake.reply({ text: 'cut', finish: 'length' }, { text: 'cut', finish: 'length' })
  const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  expect(await (await gateway.post('/v1/responses', value, ask)).json()).toMatchObject(incomplete)
  const events = await eventsOf(await gateway.post('/v1/responses', value, { ...ask, stream: true }))
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: incomplete })
})

test('with the token’s switch, earlier steps go out as a summary of reasoning', async () => {
  const steps = [
    { content: 'one {{input}}', title: 'Gather' },
    { content: 'two {{a}}', title: '' },
  ]
  const { value } = await gateway.serve(steps, { showsProgress: true })
  const events = await eventsOf(await gateway.post('/v1/responses', value, { ...ask, stream: true }))
  expect(events.map(({ type }) => type).slice(2, 9)).toEqual([
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    'response.output_item.added',
  ])
  expect(events[4]).toMatchObject({ output_index: 0, summary_index: 0, delta: 'Step 1 of 2: Gather\n' })
  expect(events[8]).toMatchObject({ output_index: 1, item: { type: 'message' } })
  const output = [{ type: 'reasoning', summary: [{ text: 'Step 1 of 2: Gather\n' }] }, { type: 'message' }]
  expect(events.at(-1)).toMatchObject({ response: { output } })
})

test('instructions, developer and user items reach the chain; what a coding agent sends beside is named', async () => {
  const { value } = await gateway.serve(['{{input_context}}'])
  const message = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text }],
  })
  const reply = await gateway.post('/v1/responses', value, {
    model: 'any',
    instructions: 'I',
    input: [
      message('developer', 'D'),
      message('user', 'U'),
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
      { role: 'user', content: 'V' },
    ],
    tools: [{ type: 'namespace', name: 'x' }],
    tool_choice: 'auto',
    reasoning: { effort: 'low' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
    client_metadata: { a: 'b' },
    text: { verbosity: 'low' },
  })
  expect(gateway.sent()).toEqual(['System: I\n\nSystem: D\n\nUser: U\n\nAssistant: A\n\nUser: V'])
  expect(reply.headers.get('x-catenary-ignored')).toBe(
    'tools, reasoning, include, prompt_cache_key, client_metadata, text',
  )
})

test('JSON of a schema is answered where the last step has one, and the reply names what was asked', async () => {
  const { value } = await gateway.serve([{ content: '{{input}}', output: { type: 'json', schema } }])
  gateway.fake.reply({ text: '{"a": "b"}' })
  const reply = await gateway.post('/v1/responses', value, { ...ask, text: { format } })
  const output = [{ content: [{ text: '{"a": "b"}' }] }]
  expect(await reply.json()).toMatchObject({ status: 'completed', output, text: { format } })
})

test.each([
  ['previous_response_id', { previous_response_id: 'resp_1' }],
  ['conversation', { conversation: 'conv_1' }],
  ['prompt', { prompt: { id: 'pmpt_1' } }],
  ['tool_choice', { tool_choice: 'required' }],
  ['text.format', { text: { format: { type: 'json_object' } } }],
  ['text.format', { text: { format } }],
  [
    'input.0.content.0.image_url',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] },
  ],
  ['input.0.content.0', { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
  ['input.0', { input: [{ type: 'item_reference', id: 'x' }] }],
  ['input', { input: [{ type: 'function_call_output', call_id: 'x', output: 'y' }] }],
  ['input.0.role', { input: [{ role: 'tool', content: 'x' }] }],
  ['input', { input: [] }],
])('%s is refused by its name', async (param, fields) => {
  const { value } = await gateway.serve()
  const reply = await gateway.post('/v1/responses', value, { ...ask, ...fields })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', param } })
  expect(gateway.fake.journal).toEqual([])
})
