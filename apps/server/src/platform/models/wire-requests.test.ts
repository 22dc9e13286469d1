import { afterEach, describe, expect, it } from 'vitest'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import type { ModelCall } from './model-types.ts'

const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES
type Wire = (typeof FAKE_WIRES)[number]

let on: ModelsOnFake | undefined
afterEach(() => on?.close())

/** What goes out for a call. */
async function sent({ wire, modelId, ...call }: { wire: Wire; modelId?: string } & Partial<ModelCall>) {
  on = await startModelsOnFake({ wire, ...(modelId !== undefined && { modelId }) })
  await on.models.generate({ alias: wire.alias, prompt: 'hi', ...call } as ModelCall)
  const [entry] = on.fake.journal
  return { ...entry?.body, path: entry?.path }
}

const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
const call = {
  system: 'Be brief.',
  prompt: undefined,
  messages: [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ],
  temperature: 0.5,
  maxTokens: 77,
  stop: ['END'],
  schema: { name: 'verdict', schema },
} as const
const openaiMessages = [{ role: 'system', content: 'Be brief.' }, ...call.messages]
const chatSchema = { type: 'json_schema', json_schema: { name: 'verdict', schema, strict: true } }
const chatRequest = {
  path: '/v1/chat/completions',
  messages: openaiMessages,
  temperature: 0.5,
  max_tokens: 77,
  stop: ['END'],
  response_format: chatSchema,
}

describe('all that a call can say goes out', () => {
  it.each([
    {
      wire: ANTHROPIC,
      body: {
        path: '/v1/messages',
        system: 'Be brief.',
        messages: call.messages,
        temperature: 0.5,
        max_tokens: 77,
        stop_sequences: ['END'],
        output_config: { format: { type: 'json_schema', schema } },
      },
    },
    { wire: CHAT, body: chatRequest },
    // The other API of OpenAI takes no texts to stop at.
    { wire: RESPONSES, body: chatRequest },
    {
      wire: GEMINI,
      body: {
        path: '/v1beta/models/fake-model:streamGenerateContent?alt=sse',
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'one' }] },
          { role: 'model', parts: [{ text: 'two' }] },
          { role: 'user', parts: [{ text: 'three' }] },
        ],
        generationConfig: {
          temperature: 0.5,
          maxOutputTokens: 77,
          stopSequences: ['END'],
          responseMimeType: 'application/json',
          responseJsonSchema: schema,
        },
      },
    },
  ])('over the $wire.name wire', async ({ wire, body }) => {
    expect(await sent({ wire, ...call })).toMatchObject(body)
  })

  it('over the openai responses wire, where no text is to stop it', async () => {
    const { stop: _, ...rest } = call
    expect(await sent({ wire: RESPONSES, ...rest })).toMatchObject({
      path: '/v1/responses',
      input: openaiMessages,
      temperature: 0.5,
      max_output_tokens: 77,
      text: { format: { type: 'json_schema', name: 'verdict', schema, strict: true } },
      store: false,
    })
  })
})

it.each([
  { modelId: 'claude-sonnet-5-5', limits: { max_tokens: 128_000 } },
  { modelId: 'claude-opus-4-8', limits: { max_tokens: 128_000 } },
  { modelId: 'claude-sonnet-4-6', limits: { max_tokens: 128_000, temperature: 1 } },
  { modelId: 'claude-haiku-4-5-20251001', limits: { max_tokens: 64_000, temperature: 1 } },
  { modelId: 'claude-sonnet-4-20250514', limits: { max_tokens: 64_000, temperature: 1 } },
  { modelId: 'claude-opus-4-1-20250805', limits: { max_tokens: 32_000, temperature: 1 } },
  { modelId: 'claude-3-haiku-20240307', limits: { max_tokens: 4_096, temperature: 1 } },
  { modelId: 'another-model', limits: { max_tokens: 4_096, temperature: 1.5 } },
])('asks $modelId of Anthropic for no more than it takes', async ({ modelId, limits }) => {
  const { max_tokens, temperature } = (await sent({ wire: ANTHROPIC, modelId, temperature: 1.5 })) as {
    max_tokens?: number
    temperature?: number
  }
  expect({ max_tokens, ...(temperature !== undefined && { temperature }) }).toEqual(limits)
  await on?.close()
  const most = await sent({ wire: ANTHROPIC, modelId, maxTokens: 1_000_000 })
  const isForeign = modelId === 'another-model'
  expect(most).toMatchObject({ max_tokens: isForeign ? 1_000_000 : limits.max_tokens })
})

const THINKING = ['o3', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5.1-chat-latest', 'gpt-6.1-sol', 'gpt-10']
const OTHERS = ['gpt-4o', 'gpt-4.1-mini', 'gpt-5-chat-latest', 'gpt-oss:20b', 'llama3', 'o', 'omni-1']
it.each([
  ...THINKING.map((modelId) => ({ modelId, thinks: true })),
  ...OTHERS.map((modelId) => ({ modelId, thinks: false })),
])('asks $modelId of OpenAI as one that thinks: $thinks', async ({ modelId, thinks }) => {
  const { stop: _, ...rest } = call
  const role = thinks ? 'developer' : 'system'
  const chat = await sent({ wire: CHAT, modelId, ...rest })
  expect(chat).toMatchObject({
    messages: [{ role }, ...call.messages],
    [thinks ? 'max_completion_tokens' : 'max_tokens']: 77,
  })
  expect('temperature' in chat).toBe(!thinks)
  await on?.close()
  const responses = await sent({ wire: RESPONSES, modelId, ...rest })
  expect(responses).toMatchObject({ input: [{ role }, ...call.messages], max_output_tokens: 77 })
  expect('temperature' in responses).toBe(!thinks)
})

it.each([
  {
    wire: ANTHROPIC,
    modelId: 'claude-sonnet-5-5',
    effort: 'high',
    body: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, max_tokens: 32_868 },
  },
  {
    wire: ANTHROPIC,
    modelId: 'claude-sonnet-5-5',
    effort: 'none',
    body: { thinking: { type: 'disabled' }, max_tokens: 100 },
  },
  {
    wire: ANTHROPIC,
    modelId: 'claude-opus-4-5',
    effort: 'low',
    body: { output_config: { effort: 'low' }, max_tokens: 4_196 },
  },
  {
    wire: RESPONSES,
    modelId: 'gpt-6.1-sol',
    effort: 'none',
    body: { reasoning: { effort: 'none' }, max_output_tokens: 100 },
  },
  {
    wire: CHAT,
    modelId: 'gpt-6.1-sol',
    effort: 'medium',
    body: { reasoning_effort: 'medium', max_completion_tokens: 16_484 },
  },
  {
    wire: GEMINI,
    modelId: 'gemini-2.5-flash',
    effort: 'none',
    body: { generationConfig: { thinkingConfig: { thinkingBudget: 0 }, maxOutputTokens: 100 } },
  },
  {
    wire: GEMINI,
    modelId: 'gemini-4-hydrogen',
    effort: 'low',
    body: { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' }, maxOutputTokens: 4_196 } },
  },
] as const)(
  'tells $modelId to think: $effort, with room beside the answer',
  async ({ wire, modelId, effort, body }) => {
    expect(await sent({ wire, modelId, effort, maxTokens: 100 })).toMatchObject(body)
  },
)

it('says nothing of effort where none is set', async () => {
  for (const wire of FAKE_WIRES) {
    const body = JSON.stringify(await sent({ wire }))
    expect(body).not.toMatch(/think|reasoning|effort|output_config/i)
    await on?.close()
  }
})

it('gives a Gemma its instruction as a turn', async () => {
  const body = await sent({ wire: GEMINI, modelId: 'gemma-3-27b-it', system: 'Be brief.' })
  expect(body).toMatchObject({
    contents: [
      { role: 'user', parts: [{ text: 'Be brief.' }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ],
  })
  expect(body).not.toHaveProperty('systemInstruction')
})
