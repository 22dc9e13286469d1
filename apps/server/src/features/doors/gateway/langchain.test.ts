import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())

test.each(['openai', 'anthropic'] as const)('LangChain’s %s: whole and streamed', async (name) => {
  const { value, model } = await gateway.serve()
  const chats = {
    openai: () =>
      new ChatOpenAI({ model, apiKey: value, configuration: { baseURL: `${gateway.address}/v1` } }),
    anthropic: () =>
      new ChatAnthropic({ model, apiKey: value, anthropicApiUrl: gateway.address, maxTokens: 100 }),
  }
  const said = { text: ['Hi ', 'there'], inputTokens: 5, outputTokens: 2 }
  gateway.fake.reply(said, said)
  const chat = chats[name]()
  const whole = await chat.invoke('Hello')
  expect(whole.text).toBe('Hi there')
  expect(whole.usage_metadata).toMatchObject({ input_tokens: 5, output_tokens: 2 })
  let streamed = ''
  for await (const piece of await chat.stream('Hello')) streamed += piece.text
  expect(streamed).toBe('Hi there')
})
