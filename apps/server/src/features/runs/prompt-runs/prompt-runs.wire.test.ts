import type { ExecutePromptReply, PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../../testing/fake-providers/start-models-on-fake.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'

describe.each(FAKE_WIRES)('running prompts over the wire of $name', (wire) => {
  let library: Library
  let provider: ModelsOnFake
  let promptId: number
  let address: string
  beforeAll(async () => {
    provider = await startModelsOnFake({
      wire,
      prices: { 'fake-model': { inputPerMillionUsd: 1, outputPerMillionUsd: 10 } },
      limits: { silenceMs: 2_000, textBytes: 100_000 },
    })
    library = await startLibrary('embedded', { models: provider.models })
    promptId = (await library.createPrompt(library.owner, { content: 'Hello $<customer>' })).id
    address = await library.http.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await library.close()
    await provider.close()
  })
  beforeEach(() => provider.fake.reset())

  const post = ({
    accept = 'application/json',
    signal,
    ...body
  }: Record<string, unknown> & { signal?: AbortSignal }) =>
    fetch(`${address}/api/execute-prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: String(accept), ...library.owner.headers },
      body: JSON.stringify({ promptId, model: wire.alias, variables: { customer: 'Ada' }, ...body }),
      signal: signal ?? null,
    })
  const stream = async (body: Parameters<typeof post>[0] = {}) =>
    post({ accept: 'text/event-stream', ...body })
  const lastRun = async () => {
    const reply = await library.request({ url: `/api/executions?promptId=${promptId}`, as: library.owner })
    return (reply.body as PromptRun[])[0]
  }

  test('POST /api/execute-prompt runs a prompt.', async () => {
    const reply = await post({})
    expect(reply.status).toBe(200)
    const done = (await reply.json()) as ExecutePromptReply
    expect(done.result).toContain('Hello Ada')
    expect(done).toMatchObject({
      model: wire.alias,
      modelId: 'fake-model',
      inputTokens: 11,
      outputTokens: 7,
      costUsd: 0.000081,
    })
    expect(await lastRun()).toMatchObject({
      id: done.executionId,
      status: 'completed',
      aiResponse: done.result,
      costUsd: 0.000081,
    })
    expect(provider.fake.journal).toHaveLength(1)
  })

  test('the answer streams in: its first text is there while the provider still writes', async () => {
    provider.fake.reply({ text: ['one ', 'two'], delayMs: 150 })
    const reply = await stream()
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    const events: { event: string; data: Record<string, unknown> }[] = []
    const upstreamAtFirstText: string[] = []
    for await (const event of readEvents(reply)) {
      if (event.event === 'delta') upstreamAtFirstText.push(provider.fake.journal[0]?.state ?? 'none')
      events.push(event)
    }
    const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 10 }
    expect(events[0]).toEqual({ event: 'start', data: { executionId: expect.any(Number), price } })
    const texts = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text)
    expect(texts.join('')).toBe('one two')
    expect(upstreamAtFirstText[0]).toBe('open')
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { result: 'one two', model: wire.alias } })
  })

  test('an answer that was cut says so at once and in the history', async () => {
    provider.fake.reply({ text: 'half', finish: 'length' })
    const done = (await (await post({})).json()) as ExecutePromptReply
    expect(done).toMatchObject({ result: 'half', finishReason: 'length' })
    expect(await lastRun()).toMatchObject({ aiResponse: 'half', finishReason: 'length' })
  })

  test('stopping closes the upstream call and keeps the text so far', async () => {
    provider.fake.reply({ text: ['half ', 'more '], delayMs: 50, fault: 'silence' })
    const stop = new AbortController()
    const reply = await stream({ signal: stop.signal })
    await (async () => {
      for await (const { event } of readEvents(reply)) if (event === 'delta') stop.abort()
    })().catch(() => undefined)
    await vi.waitFor(() => expect(provider.fake.journal[0]?.state).toBe('closed-by-client'))
    await vi.waitFor(async () => expect((await lastRun())?.status).toBe('cancelled'))
    expect(await lastRun()).toMatchObject({ error: 'Stopped before the answer was complete' })
    expect((await lastRun())?.aiResponse).toMatch(/^half /)
  })

  test('a caller of the JSON form may leave: the run goes on and is kept', async () => {
    provider.fake.reply({ text: 'late', delayMs: 200 })
    const leave = new AbortController()
    const leaving = post({ signal: leave.signal }).catch(() => 'left')
    await vi.waitFor(() => expect(provider.fake.journal).toHaveLength(1))
    leave.abort()
    expect(await leaving).toBe('left')
    await vi.waitFor(async () =>
      expect(await lastRun()).toMatchObject({ status: 'completed', aiResponse: 'late' }),
    )
  })

  const faults = [
    { name: '401', reply: { status: 401 }, code: 'model_key', says: /API key.*401/ },
    {
      name: '429 with Retry-After',
      reply: { status: 429, retryAfter: '1' },
      code: 'model_quota',
      says: /quota.*429/,
    },
    { name: '500', reply: { status: 500 }, code: 'model_unavailable', says: /not available.*500/ },
    { name: 'reset', reply: { fault: 'reset' }, code: 'model_unavailable', says: /could not be reached/ },
    { name: 'malformed', reply: { fault: 'malformed' }, code: 'model_malformed', says: /could not be read/ },
    {
      name: 'endless',
      reply: { text: ['x'.repeat(10_000)], fault: 'endless' },
      code: 'model_too_long',
      says: /./,
    },
  ] as const
  test.each(faults)(
    'an upstream $name is 502 with a clear error, never a 401, and is recorded',
    async ({ reply, code, says }) => {
      provider.fake.replyByDefault(reply)
      const whole = await post({})
      const body = (await whole.json()) as { error: string; details: string }
      expect([whole.status, body.details]).toEqual([502, code])
      expect(body.error).toMatch(says)
      expect(await lastRun()).toMatchObject({ status: 'failed', error: body.error })

      const streamed = await stream()
      expect(streamed.status).toBe(200)
      const events = await Array.fromAsync(readEvents(streamed))
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { details: code } })
      expect(await lastRun()).toMatchObject({ status: 'failed' })
    },
  )

  test('a fault that passes is retried and the person never sees it', async () => {
    provider.fake.reply({ status: 429, retryAfter: '1' }, { status: 500 }, { text: 'at last' })
    const reply = (await (await post({})).json()) as ExecutePromptReply
    expect(reply.result).toBe('at last')
    expect(provider.fake.journal).toHaveLength(3)
    expect(provider.waits[0]).toBeGreaterThan(500)
  })

  test('an alias without a key says which variable to set', async () => {
    const alias = wire.alias === 'gemini' ? 'openai' : 'gemini'
    const reply = await post({ model: alias })
    expect([reply.status, await reply.json()]).toEqual([
      502,
      {
        error: `API key not configured for ${alias}. Set ${alias === 'openai' ? 'OPENAI_API_KEY' : 'GEMINI_API_KEY'}.`,
        details: 'model_not_configured',
      },
    ])
  })

  test('a stop of the server ends an open stream and records why', async () => {
    const other = await startLibrary('embedded', { models: provider.models })
    const { id } = await other.createPrompt(other.owner)
    const url = await other.http.listen({ host: '127.0.0.1', port: 0 })
    provider.fake.reply({ text: 'begun', fault: 'silence' })
    const reply = await fetch(`${url}/api/execute-prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...other.owner.headers },
      body: JSON.stringify({ promptId: id, model: wire.alias }),
    })
    const events = readEvents(reply)
    await events.next()
    await events.next()
    const [rest] = await Promise.all([Array.fromAsync(events).catch(() => []), other.close()])
    expect(rest.map(({ data }) => data.error).filter(Boolean)).toEqual([
      'The server stopped before the answer was complete. Run it again.',
    ])
  })
})

async function* readEvents(
  reply: Response,
): AsyncGenerator<{ event: string; data: Record<string, unknown> }> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of reply.body ?? []) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) }
    }
  }
}
