import { afterEach, describe, expect, it } from 'vitest'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { events, json, type WireCase } from '../../testing/fake-providers/wire-case.ts'

const MAX_RETRIES = 3

const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES
type Wire = (typeof FAKE_WIRES)[number]

/** What only one vendor says, as it writes it. */
let on: ModelsOnFake | undefined
afterEach(() => on?.close())

async function ask({ wire, reply, streamed }: { wire: Wire; reply: FakeReply; streamed: boolean }) {
  on = await startModelsOnFake({ wire })
  on.fake.replyByDefault(reply)
  const call = { alias: wire.alias, prompt: 'hi' }
  if (!streamed) return on.models.generate(call)
  return (await Array.fromAsync(on.models.stream(call))).at(-1)
}

describe('the messages of Anthropic', () => {
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
  const usage = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 7 }
  interface Said {
    content: { text?: string; type: string }[]
    stop: string
    usageOf?: (outputTokens: number) => object | null | undefined
  }
  const counted = (output_tokens: number) => ({ ...usage, output_tokens })
  const answer = ({ content, stop, usageOf = counted }: Said) => ({
    whole: json({ ...message, content, stop_reason: stop, usage: usageOf(3) }),
    stream: events(
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: usageOf(1) },
      },
      ...content.flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: { ...block, text: '', thinking: '' } },
        {
          type: 'content_block_delta',
          index,
          delta:
            block.type === 'text'
              ? { type: 'text_delta', text: block.text }
              : { type: 'thinking_delta', thinking: 'hm' },
        },
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null },
        usage: usageOf(3),
      },
      { type: 'message_stop' },
    ),
  })
  const text = [{ type: 'text', text: 'Yes.' }]
  const stops = { end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', refusal: 'content_filter' }
  const later = { model_context_window_exceeded: 'length', tool_use: 'tool', of_a_later_version: 'unknown' }

  const cases: WireCase[] = [
    {
      says: 'what it thought',
      ...answer({
        content: [{ type: 'thinking', thinking: 'hm', signature: 's' } as { type: string }, ...text],
        stop: 'end_turn',
      }),
      result: { text: 'Yes.', inputTokens: 22, cachedTokens: 7, outputTokens: 3, finishReason: 'stop' },
    },
    ...Object.entries({ ...stops, ...later }).map(([stop, finishReason]) => ({
      says: stop,
      ...answer({ content: text, stop }),
      result: { text: 'Yes.', finishReason },
    })),
    ...[null, undefined].map((usage) => ({
      says: `${usage} in place of usage`,
      ...answer({ content: text, stop: 'end_turn', usageOf: () => usage }),
      result: { text: 'Yes.', inputTokens: null, outputTokens: null, cachedTokens: null, costNanos: null },
    })),
  ]
  it.each(cases)('are understood when they say $says', async ({ whole, stream, result }) => {
    expect(await ask({ wire: ANTHROPIC, reply: whole, streamed: false })).toMatchObject(result)
    await on?.close()
    expect(await ask({ wire: ANTHROPIC, reply: stream, streamed: true })).toMatchObject(result)
  })
})

describe('the chat completions of OpenAI', () => {
  const answer = ({ message, stop, ...usage }: { message: object; stop: string | null; usage?: object }) => ({
    whole: json({
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: stop }],
      ...usage,
    }),
    stream: events(
      { id: 'c', model: 'm', choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] },
      { id: 'c', model: 'm', choices: [{ index: 0, delta: message, finish_reason: null }] },
      { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: stop }] },
      { id: 'c', model: 'm', choices: [], ...usage },
      '[DONE]',
    ),
  })
  const stops = { stop: 'stop', length: 'length', content_filter: 'content_filter', tool_calls: 'tool' }
  const cases: WireCase[] = [
    {
      says: 'a refusal of its own',
      ...answer({ message: { content: null, refusal: 'I will not.' }, stop: 'stop' }),
      result: { text: 'I will not.', finishReason: 'content_filter' },
    },
    {
      says: 'no usage',
      ...answer({ message: { content: 'Yes.' }, stop: 'stop' }),
      result: { text: 'Yes.', inputTokens: null, outputTokens: null, costNanos: null, modelId: 'm' },
    },
    ...Object.entries({ ...stops, of_a_later_version: 'unknown' }).map(([stop, finishReason]) => ({
      says: stop,
      ...answer({
        message: { content: 'Yes.' },
        stop,
        usage: { prompt_tokens: 4, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
      }),
      result: { text: 'Yes.', finishReason, inputTokens: 4, outputTokens: 2, cachedTokens: 3 },
    })),
  ]
  it.each(cases)('are understood when they say $says', async ({ whole, stream, result }) => {
    expect(await ask({ wire: CHAT, reply: whole, streamed: false })).toMatchObject(result)
    await on?.close()
    expect(await ask({ wire: CHAT, reply: stream, streamed: true })).toMatchObject(result)
  })
})

describe('the responses of OpenAI', () => {
  interface Said {
    content: object
    event: string
    said: object
    reason?: string
  }
  const answer = ({ content, event, said, reason }: Said) => {
    const response = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      status: reason === undefined ? 'completed' : 'incomplete',
      incomplete_details: reason === undefined ? null : { reason },
      error: null,
      output: [
        { type: 'reasoning', id: 'i0', summary: [] },
        { type: 'message', id: 'i1', role: 'assistant', status: 'completed', content: [content] },
      ],
      usage: { input_tokens: 4, output_tokens: 2, input_tokens_details: { cached_tokens: 3 } },
    }
    const place = { item_id: 'i1', output_index: 1, content_index: 0 }
    return {
      whole: json(response),
      stream: events(
        { type: 'response.created', response: { ...response, output: [], usage: null } },
        { type: 'response.output_item.added', output_index: 1, item: { ...response.output[1], content: [] } },
        { type: event, ...place, ...said },
        { type: 'response.output_item.done', output_index: 1, item: response.output[1] },
        { type: reason === undefined ? 'response.completed' : 'response.incomplete', response },
      ),
    }
  }
  const text = {
    content: { type: 'output_text', text: 'Yes.', annotations: [] },
    event: 'response.output_text.delta',
    said: { delta: 'Yes.' },
  }
  const cases: WireCase[] = [
    {
      says: 'what it thought',
      ...answer(text),
      result: { text: 'Yes.', finishReason: 'stop', inputTokens: 4, cachedTokens: 3, modelId: 'm' },
    },
    {
      says: 'a refusal of its own',
      ...answer({
        content: { type: 'refusal', refusal: 'I will not.' },
        event: 'response.refusal.delta',
        said: { delta: 'I will not.' },
      }),
      result: { text: 'I will not.', finishReason: 'content_filter' },
    },
    ...Object.entries({
      max_output_tokens: 'length',
      content_filter: 'content_filter',
      later: 'unknown',
    }).map(([reason, finishReason]) => ({
      says: reason,
      ...answer({ ...text, reason }),
      result: { text: 'Yes.', finishReason },
    })),
  ]
  it.each(cases)('are understood when they say $says', async ({ whole, stream, result }) => {
    expect(await ask({ wire: RESPONSES, reply: whole, streamed: false })).toMatchObject(result)
    await on?.close()
    expect(await ask({ wire: RESPONSES, reply: stream, streamed: true })).toMatchObject(result)
  })

  it('fail with what a failed one says', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    const reply = events({
      type: 'response.failed',
      sequence_number: 1,
      response: { status: 'failed', error },
    })
    const failing = ask({ wire: RESPONSES, reply, streamed: true })
    await expect(failing).rejects.toMatchObject({ code: 'model_quota', status: 429 })
    expect(on?.fake.journal).toHaveLength(1 + MAX_RETRIES)
  })
})

describe('the contents of Gemini', () => {
  const counts = { promptTokenCount: 4, candidatesTokenCount: 2, thoughtsTokenCount: 5 }
  const usageMetadata = { ...counts, cachedContentTokenCount: 3 }
  const answer = ({ parts, stop }: { parts: object[]; stop: string }) => {
    const candidate = (some: object[]) => ({ index: 0, content: { role: 'model', parts: some } })
    const whole = { candidates: [{ ...candidate(parts), finishReason: stop }], usageMetadata }
    return {
      whole: json({ ...whole, modelVersion: 'm' }),
      stream: events(...parts.map((part) => ({ candidates: [candidate([part])], modelVersion: 'm' })), {
        candidates: [{ index: 0, finishReason: stop }],
        usageMetadata,
      }),
    }
  }
  const stops = { STOP: 'stop', MAX_TOKENS: 'length', SAFETY: 'content_filter', OTHER: 'unknown' }
  const cases: WireCase[] = [
    {
      says: 'what it thought',
      ...answer({ parts: [{ text: 'hm', thought: true }, { text: 'Yes.' }], stop: 'STOP' }),
      result: { text: 'Yes.', inputTokens: 4, cachedTokens: 3, outputTokens: 7, modelId: 'm' },
    },
    ...Object.entries(stops).map(([stop, finishReason]) => ({
      says: stop,
      ...answer({ parts: [{ text: 'Yes.' }], stop }),
      result: { text: 'Yes.', finishReason },
    })),
  ]
  it.each(cases)('are understood when they say $says', async ({ whole, stream, result }) => {
    expect(await ask({ wire: GEMINI, reply: whole, streamed: false })).toMatchObject(result)
    await on?.close()
    expect(await ask({ wire: GEMINI, reply: stream, streamed: true })).toMatchObject(result)
  })

  it.each([true, false])('are refused for what was asked (streamed: %s)', async (streamed) => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }
    const asking = ask({ wire: GEMINI, reply: streamed ? events(blocked) : json(blocked), streamed })
    await expect(asking).rejects.toMatchObject({ code: 'model_refused' })
    expect(on?.fake.journal).toHaveLength(1)
  })

  it.each([true, false])('go on where one reply could not hold them (streamed: %s)', async (streamed) => {
    const part = (text: string, rest: object) => {
      const body = {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...rest }],
        usageMetadata,
      }
      return streamed ? events(body) : json(body)
    }
    on = await startModelsOnFake({ wire: GEMINI })
    on.fake.reply(
      part('first ', { finishReason: 'CONTINUATION', continuationToken: 'token-2' }),
      part('second', { finishReason: 'STOP' }),
    )
    const call = { alias: GEMINI.alias, prompt: 'hi' }
    const answered = streamed
      ? (await Array.fromAsync(on.models.stream(call))).at(-1)
      : await on.models.generate(call)
    expect(answered).toMatchObject({
      text: 'first second',
      finishReason: 'stop',
      inputTokens: 8,
      cachedTokens: 6,
      outputTokens: 14,
      retries: 0,
    })
    expect(on.fake.journal.map(({ body }) => body.continuationToken)).toEqual([undefined, 'token-2'])
  })
})
