import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
let gateway: Gateway
let value: string
let model: string
let slug: string
beforeAll(async () => {
  gateway = await startGateway('embedded')
  const served = await gateway.serve()
  ;({ value, model } = served)
  slug = served.chain.slug
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.fake.reset()
  gateway.fake.reply({ text: ['Hi ', 'there'], delayMs: 10, inputTokens: 5, outputTokens: 2 })
})

describe('openai', () => {
  const client = () => new OpenAI({ baseURL: `${gateway.address}/v1`, apiKey: value })

  test('chat completions: create, stream and its helper', async () => {
    const created = await client().chat.completions.create({ model, messages })
    expect(created.choices[0]?.message.content).toBe('Hi there')
    expect(created.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })
    gateway.fake.reply(
      { text: ['Hi ', 'there'] },
      { text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 },
    )
    let text = ''
    for await (const chunk of await client().chat.completions.create({ model, messages, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('Hi there')
    const helper = client().chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    })
    expect(await helper.finalContent()).toBe('Hi there')
    expect((await helper.totalUsage()).total_tokens).toBe(7)
  })

  test('responses: create, stream and its helper', async () => {
    const created = await client().responses.create({ model, input: 'Hello' })
    expect(created.output_text).toBe('Hi there')
    gateway.fake.reply(
      { text: ['Hi ', 'there'] },
      { text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 },
    )
    let text = ''
    for await (const event of await client().responses.create({ model, input: 'Hello', stream: true })) {
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(text).toBe('Hi there')
    const final = await client().responses.stream({ model, input: 'Hello' }).finalResponse()
    expect([final.output_text, final.usage?.total_tokens]).toEqual(['Hi there', 7])
  })

  test('models, one and all', async () => {
    const ids = []
    for await (const one of client().models.list()) ids.push(one.id)
    expect(ids).toEqual([model, `claude-${model}`, slug])
    expect((await client().models.retrieve(model)).owned_by).toBe('catenary')
  })

  test('errors by their classes, with the request’s id', async () => {
    const foreign = client().chat.completions.create({ model: 'chain-999999', messages })
    await expect(foreign).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    const stranger = new OpenAI({ baseURL: `${gateway.address}/v1`, apiKey: 'none' })
    const unknown: unknown = await stranger.models.list().catch((error: unknown) => error)
    expect(unknown).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(unknown).toMatchObject({ code: 'invalid_api_key', requestID: expect.stringMatching(/./) })
    const twice = client().chat.completions.create({ model, messages, n: 2 })
    await expect(twice).rejects.toMatchObject({ status: 400, param: 'n' })
  })

  test('a failure of a chain that started is not paid for again by the client’s own retries', async () => {
    gateway.fake.reset()
    gateway.fake.replyByDefault({ status: 401 })
    await expect(client().chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      OpenAI.InternalServerError,
    )
    await expect(client().responses.create({ model, input: 'Hello' })).rejects.toMatchObject({ status: 503 })
    expect(gateway.fake.journal).toHaveLength(2)
  })

  test('an error in the middle of a stream is thrown', async () => {
    gateway.fake.reset()
    const half = { text: ['half '], fault: 'reset' as const }
    gateway.fake.reply(half)
    const read = async () => {
      for await (const _ of await client().chat.completions.create({ model, messages, stream: true }));
    }
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError)
  })
})

describe('@anthropic-ai/sdk', () => {
  const client = () => new Anthropic({ baseURL: gateway.address, authToken: value, apiKey: null })
  const ask = () => ({ model, max_tokens: 100, messages })

  test('messages: create and the stream helper', async () => {
    const created = await client().messages.create(ask())
    expect(created.content).toEqual([{ type: 'text', text: 'Hi there' }])
    expect(created._request_id).toBeTruthy()
    gateway.fake.reply({ text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 })
    const stream = client().messages.stream(ask())
    const pieces: string[] = []
    stream.on('text', (text) => pieces.push(text))
    const final = await stream.finalMessage()
    expect(pieces.join('')).toBe('Hi there')
    expect(final).toMatchObject({
      ...{ content: [{ type: 'text', text: 'Hi there' }], stop_reason: 'end_turn' },
      usage: { input_tokens: 5, output_tokens: 2 },
    })
  })

  test('an API key in its own header is as good', async () => {
    const own = new Anthropic({ baseURL: gateway.address, apiKey: value })
    expect((await own.messages.create(ask())).content).toMatchObject([{ text: 'Hi there' }])
  })

  test('counts tokens, and lists models', async () => {
    expect(await client().messages.countTokens({ model, messages })).toEqual({ input_tokens: 2 })
    const ids = []
    for await (const one of client().models.list({ limit: 1 })) ids.push(one.id)
    expect(ids).toEqual([model, `claude-${model}`, slug])
    expect((await client().models.retrieve(`claude-${model}`)).type).toBe('model')
  })

  test('errors by their classes', async () => {
    const forced = client().messages.create({ ...ask(), tools: [], tool_choice: { type: 'any' } })
    await expect(forced).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    const stranger = new Anthropic({ baseURL: gateway.address, apiKey: 'none' })
    await expect(stranger.messages.create(ask())).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
    gateway.fake.reset()
    gateway.fake.replyByDefault({ status: 401 })
    await expect(client().messages.create(ask())).rejects.toBeInstanceOf(Anthropic.InternalServerError)
    expect(gateway.fake.journal).toHaveLength(1)
  })

  test('an error in the middle of a stream is thrown', async () => {
    gateway.fake.reset()
    gateway.fake.reply({ text: ['half '], fault: 'reset' })
    await expect(client().messages.stream(ask()).finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError)
  })
})

describe('the AI SDK with its defaults', () => {
  const models = () => ({
    openai: createOpenAI({ baseURL: `${gateway.address}/v1`, apiKey: value })(model),
    chat: createOpenAI({ baseURL: `${gateway.address}/v1`, apiKey: value }).chat(model),
    anthropic: createAnthropic({ baseURL: `${gateway.address}/v1`, authToken: value })(model),
  })

  test.each(['openai', 'chat', 'anthropic'] as const)(
    'The official clients work unchanged: openai, @anthropic-ai/sdk, the AI SDK, LangChain; in Python openai and anthropic. (%s)',
    async (name) => {
      const { text, usage, finishReason } = await generateText({ model: models()[name], prompt: 'Hello' })
      expect({ text, finishReason }).toEqual({ text: 'Hi there', finishReason: 'stop' })
      expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 2 })
      gateway.fake.reply({ text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 })
      const stream = streamText({ model: models()[name], prompt: 'Hello', system: 'Be kind.' })
      let streamed = ''
      for await (const piece of stream.textStream) streamed += piece
      expect(streamed).toBe('Hi there')
      expect(await stream.usage).toMatchObject({ inputTokens: 5, outputTokens: 2 })
    },
  )
})
