import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const steps = ['one {{input}}', { content: 'two {{a}}', title: 'Write it up' }]

const schema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
}
const output = { type: 'json', schema }

let gateway: Gateway
/** What the client sent. */
let posts: Headers[]
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.fake.reset()
  posts = []
})

const fetch: typeof globalThis.fetch = (url, init) => {
  posts.push(new Headers(init?.headers))
  return globalThis.fetch(url, init)
}

interface Call {
  apiKey: string
  model: string
  stream: boolean
  headers?: Record<string, string>
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function withAiSdk(model: Parameters<typeof generateText>[0]['model'], { stream, headers = {} }: Call) {
  if (!stream) return generateText({ model, prompt: 'Hello', headers })
  let failure: unknown
  const onError = ({ error }: { error: unknown }) => {
    failure = error
  }
  await drain(streamText({ model, prompt: 'Hello', headers, onError }).textStream)
  throw failure
}

/** Each client with its defaults. */
const CLIENTS: [string, (call: Call) => Promise<unknown>][] = [
  [
    'openai, chat',
    async ({ apiKey, model, stream, headers }) => {
      const { completions } = new OpenAI({ baseURL: `${gateway.address}/v1`, apiKey, fetch }).chat
      if (!stream) return completions.create({ model, messages }, { headers })
      return drain(await completions.create({ model, messages, stream: true }, { headers }))
    },
  ],
  [
    'openai, responses',
    async ({ apiKey, model, stream, headers }) => {
      const { responses } = new OpenAI({ baseURL: `${gateway.address}/v1`, apiKey, fetch })
      if (!stream) return responses.create({ model, input: 'Hello' }, { headers })
      const { error } = await responses.stream({ model, input: 'Hello' }, { headers }).finalResponse()
      if (error) throw new Error(error.message)
      return undefined
    },
  ],
  [
    '@anthropic-ai/sdk',
    async ({ apiKey, model, stream, headers }) => {
      const client = new Anthropic({ baseURL: gateway.address, authToken: apiKey, apiKey: null, fetch })
      const body = { model, max_tokens: 100, messages }
      if (!stream) return client.messages.create(body, { headers })
      return client.messages.stream(body, { headers }).finalMessage()
    },
  ],
  [
    'AI SDK, responses',
    (call) =>
      withAiSdk(
        createOpenAI({ baseURL: `${gateway.address}/v1`, apiKey: call.apiKey, fetch })(call.model),
        call,
      ),
  ],
  [
    'AI SDK, chat',
    (call) =>
      withAiSdk(
        createOpenAI({ baseURL: `${gateway.address}/v1`, apiKey: call.apiKey, fetch }).chat(call.model),
        call,
      ),
  ],
  [
    'AI SDK, Anthropic',
    (call) =>
      withAiSdk(
        createAnthropic({ baseURL: `${gateway.address}/v1`, authToken: call.apiKey, fetch })(call.model),
        call,
      ),
  ],
  [
    'LangChain, OpenAI',
    async ({ apiKey, model, stream, headers = {} }) => {
      const configuration = { baseURL: `${gateway.address}/v1`, fetch }
      const chat = new ChatOpenAI({ model, apiKey, configuration })
      return stream
        ? drain(await chat.stream('Hello', { options: { headers } }))
        : chat.invoke('Hello', { options: { headers } })
    },
  ],
  [
    'LangChain, Anthropic',
    async ({ apiKey, model, stream, headers = {} }) => {
      const clientOptions = { fetch, defaultHeaders: headers }
      const options = { model, apiKey, maxTokens: 100, clientOptions }
      const chat = new ChatAnthropic({ ...options, anthropicApiUrl: gateway.address })
      return stream ? drain(await chat.stream('Hello')) : chat.invoke('Hello')
    },
  ],
]

describe.each(CLIENTS)(
  'The official SDKs, the AI SDK and LangChain, with their defaults, pay once for a chain that fails. (%s)',
  (_name, call) => {
    test('Once a step completed, no client pays twice by its own retry (D63).', async () => {
      for (const stream of [false, true]) {
        const { value: apiKey, model } = await gateway.serve(steps)
        gateway.fake.reset()
        gateway.fake.reply({ text: 'A' })
        gateway.fake.replyByDefault({ status: 400 })
        await expect(call({ apiKey, model, stream })).rejects.toThrow('Write it up')
        expect(gateway.sent()).toEqual(['one Hello', 'two A'])
      }
      expect(posts).toHaveLength(2)
    })

    test('An answer that doesn’t match its schema is paid for once, and the error says whose schema it was (D73).', async () => {
      const { value: apiKey, model } = await gateway.serve([
        { content: 'one {{input}}', model: 'openai', output },
      ])
      for (const stream of [false, true]) {
        gateway.fake.reset()
        gateway.fake.replyByDefault({ text: '{"name":7}' })
        await expect(call({ apiKey, model, stream })).rejects.toThrow(
          'does not match the schema of its output',
        )
        expect(gateway.fake.journal).toHaveLength(2)
      }
      expect(posts).toHaveLength(2)
    })

    test('so is one whose stream had begun', async () => {
      const { value: apiKey, model } = await gateway.serve(steps, { showsProgress: true })
      gateway.fake.reply({ text: 'A' })
      gateway.fake.replyByDefault({ status: 400 })
      await expect(call({ apiKey, model, stream: true })).rejects.toThrow('Write it up')
      expect(gateway.sent()).toEqual(['one Hello', 'two A'])
    })

    test('A wrong token fails at once.', async () => {
      const { model } = await gateway.serve()
      await expect(call({ apiKey: 'none', model, stream: false })).rejects.toThrow('This token is not valid')
      expect(posts).toHaveLength(1)
    })

    test('An Idempotency-Key goes as a header: a repeated call is paid once.', async () => {
      const { value: apiKey, model } = await gateway.serve()
      const headers = { 'Idempotency-Key': `order-${model}` }
      await call({ apiKey, model, stream: false, headers })
      await call({ apiKey, model, stream: false, headers })
      expect(posts.map((sent) => sent.get('idempotency-key'))).toEqual(
        Array(2).fill(headers['Idempotency-Key']),
      )
      expect(gateway.fake.journal).toHaveLength(1)
    })
  },
)
