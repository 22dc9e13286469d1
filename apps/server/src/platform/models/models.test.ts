import { MODEL_ALIASES } from '@catenary/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  CANARY_KEY,
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { MODEL_DEFAULTS } from './default-models.ts'
import type { ModelEvent, ModelsSettings } from './model-types.ts'
import { createModels } from './models.ts'

async function collect(events: AsyncIterable<ModelEvent>, all: ModelEvent[] = []): Promise<ModelEvent[]> {
  for await (const event of events) all.push(event)
  return all
}

/** A piece goes out once the one before has been read: what comes together goes on together. */
function oneByOne(read: readonly ModelEvent[]) {
  return {
    before: (index: number) => vi.waitFor(() => expect(read).toHaveLength(index), { interval: 1 }),
  }
}

describe.each(FAKE_WIRES)('a model call over the $name wire', (wire) => {
  const { alias } = wire
  let on: ModelsOnFake
  beforeEach(async () => {
    const price = { inputPerMillionUsd: 2, outputPerMillionUsd: 10 }
    on = await startModelsOnFake({ wire, prices: { 'named-by-reply': price } })
  })
  afterEach(() => on.close())

  const reply = { modelId: 'named-by-reply', inputTokens: 30, outputTokens: 5 }
  const took = {
    text: 'Hängen 🪢',
    requestedAlias: alias,
    modelId: 'named-by-reply',
    inputTokens: 30,
    outputTokens: 5,
    finishReason: 'stop',
    retries: 0,
    costNanos: 110_000,
  }

  it('streams the texts as they come and ends with what it took', async () => {
    const events: ModelEvent[] = []
    on.fake.reply({ ...reply, text: ['Hän', 'gen ', '🪢'], ...oneByOne(events) })
    await collect(on.models.stream({ alias, prompt: 'hi' }), events)
    expect(events.slice(0, -1).map((event) => event.type === 'delta' && event.text)).toEqual([
      'Hän',
      'gen ',
      '🪢',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'done', ...took })
    expect(on.fake.journal[0]?.streamed).toBe(true)
  })

  it('Of each API one reader reads an answer in the form in which it comes: as a stream or whole, packed, with any line ends, in parts (D71).', async () => {
    on.fake.reply({ ...reply, text: 'Hängen 🪢' }, { ...reply, text: 'Hängen 🪢', whole: true })
    expect(await on.models.generate({ alias, prompt: 'hi' })).toMatchObject(took)
    expect(await on.models.generate({ alias, prompt: 'hi' })).toMatchObject(took)
    expect(on.fake.journal.map(({ streamed }) => streamed)).toEqual([true, true])
  })

  it('sends system prompt, turns and token limit, and the key in a header only', async () => {
    await on.models.generate({
      alias,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'first question' },
        { role: 'assistant', content: 'first answer' },
        { role: 'user', content: 'second question' },
      ],
      maxTokens: 77,
    })
    const [entry] = on.fake.journal
    const body = JSON.stringify(entry?.body)
    const positions = ['Be brief.', 'first question', 'first answer', 'second question'].map((text) =>
      body.indexOf(text),
    )
    expect(positions.every((position) => position > 0)).toBe(true)
    expect(body).toContain('77')
    expect(body + entry?.path).not.toContain(CANARY_KEY)
    expect(JSON.stringify(entry?.headers)).toContain(CANARY_KEY)
  })

  it.each(['length', 'refusal'] as const)('reports an answer that ended by %s', async (finish) => {
    const finishReason = finish === 'length' ? 'length' : 'content_filter'
    on.fake.replyByDefault({ text: 'half', finish })
    expect(await on.models.generate({ alias, prompt: 'hi' })).toMatchObject({ text: 'half', finishReason })
    const events = await collect(on.models.stream({ alias, prompt: 'hi' }))
    expect(events.at(-1)).toMatchObject({ text: 'half', finishReason })
  })

  it.each([
    { has: 'line ends of two characters', rewrite: (events: string) => events.replaceAll('\n', '\r\n') },
    { has: 'no space after a colon', rewrite: (events: string) => events.replaceAll('data: ', 'data:') },
    { has: 'no names of events', rewrite: (events: string) => events.replace(/^event: .*\n/gm, '') },
    { has: 'comments', rewrite: (events: string) => events.replace(/^data/gm, ': a comment\n\n:\ndata') },
    { has: 'data over several lines', rewrite: (events: string) => events.replaceAll(',"', '\ndata: ,"') },
    {
      has: 'events of a later version',
      rewrite: (events: string) => `event: later\nid: 7\nretry: 1\ndata: {"type":"later"}\n\n${events}`,
    },
  ])('understands a stream that has $has', async ({ rewrite }) => {
    on.fake.reply({ ...reply, text: ['Hän', 'gen ', '🪢'], rewrite })
    expect((await collect(on.models.stream({ alias, prompt: 'hi' }))).at(-1)).toMatchObject(took)
  })

  it('understands a stream that comes byte by byte', async () => {
    const rewrite = (events: string) => events.replaceAll('\n', '\r\n')
    const events: ModelEvent[] = []
    on.fake.reply({ ...reply, text: ['Hän', 'gen ', '🪢'], rewrite, bytesAtOnce: 1, ...oneByOne(events) })
    await collect(on.models.stream({ alias, prompt: 'hi' }), events)
    expect(events.slice(0, -1)).toMatchObject([{ text: 'Hän' }, { text: 'gen ' }, { text: '🪢' }])
    expect(events.at(-1)).toMatchObject(took)
  })

  it('keeps interleaved answers apart', async () => {
    on.fake.replyByDefault((entry) => {
      const letter = JSON.stringify(entry.body).includes('tell a') ? 'a' : 'b'
      return { text: Array.from({ length: 20 }, (_, index) => `${letter}${index} `), delayMs: 1 }
    })
    const texts = await Promise.all(
      ['tell a', 'tell b'].map(async (prompt) => (await collect(on.models.stream({ alias, prompt }))).at(-1)),
    )
    const expected = (letter: string) =>
      Array.from({ length: 20 }, (_, index) => `${letter}${index} `).join('')
    expect(texts).toMatchObject([{ text: expected('a') }, { text: expected('b') }])
  })

  it('closes the connection to the provider when the caller aborts in mid-stream', async () => {
    const texts: string[] = []
    let beforeNextChunk: string | undefined
    const before = async (index: number) => {
      if (index === 0) return
      await vi.waitFor(() => expect(on.fake.journal[0]?.state).toBe('closed-by-client'))
      beforeNextChunk = on.fake.journal[0]?.state
    }
    on.fake.reply({ text: ['one', 'two', 'three'], before, fault: 'silence' })
    const caller = new AbortController()
    const reading = (async () => {
      for await (const event of on.models.stream({ alias, prompt: 'hi', signal: caller.signal })) {
        texts.push(event.text)
        caller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'aborted' })
    expect(texts).toEqual(['one'])
    await vi.waitFor(() => expect(beforeNextChunk).toBe('closed-by-client'))
    expect(on.fake.journal).toHaveLength(1)
  })

  it('closes the connection to the provider when the caller leaves the loop', async () => {
    on.fake.reply({ text: ['one'], fault: 'endless' })
    for await (const event of on.models.stream({ alias, prompt: 'hi' })) {
      expect(event.type).toBe('delta')
      break
    }
    await vi.waitFor(() => expect(on.fake.journal[0]?.state).toBe('closed-by-client'))
  })

  it('ends running calls when the models close', async () => {
    on.fake.reply({ text: ['one'], fault: 'silence' })
    const reading = collect(on.models.stream({ alias, prompt: 'hi' }))
    const failed = expect(reading).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => expect(on.fake.journal).toHaveLength(1))
    await on.models.close()
    await failed
  })

  it('names the variable to set for an alias without a key, and makes no call', async () => {
    const other = alias === 'claude' ? 'openai' : 'claude'
    const variable = other === 'claude' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY'
    const refusal = {
      code: 'model_not_configured',
      message: `API key not configured for ${other}. Set ${variable}.`,
    }
    await expect(on.models.generate({ alias: other, prompt: 'hi' })).rejects.toMatchObject(refusal)
    await expect(collect(on.models.stream({ alias: other, prompt: 'hi' }))).rejects.toMatchObject(refusal)
    expect(on.fake.journal).toHaveLength(0)
    const described = on.models.describe()
    expect(described.filter(({ configured }) => configured).map((model) => model.alias)).toEqual([alias])
    expect(JSON.stringify(described)).not.toContain(CANARY_KEY)
  })
})

it.each([
  { wire: FAKE_WIRES[0], suffixes: ['', '/', '/v1', '/v1/'], path: '/v1/messages' },
  { wire: FAKE_WIRES[2], suffixes: ['', '/'], path: '/v1/chat/completions' },
  {
    wire: FAKE_WIRES[3],
    suffixes: ['', '/', '/v1beta', '/v1beta/'],
    path: '/v1beta/models/fake-model:streamGenerateContent?alt=sse',
  },
])('accepts the usual spellings of the base URL of $wire.name', async ({ wire, suffixes, path }) => {
  const on = await startModelsOnFake({ wire })
  const origin = new URL(on.fake.url).origin
  for (const suffix of wire.vendor === 'openai' ? ['/v1', '/v1/', ...suffixes] : suffixes) {
    const other = await startModelsOnFake({ wire, baseUrl: origin + suffix })
    await other.models.generate({ alias: wire.alias, prompt: 'hi' })
    await other.close()
  }
  expect(new Set(on.fake.journal.map((entry) => entry.path))).toEqual(new Set([path]))
  await on.close()
})

describe('the sandbox', () => {
  const none = { baseUrl: 'http://127.0.0.1:9', modelId: 'none' }
  const make = (settings: Partial<ModelsSettings>) =>
    createModels({
      settings: { claude: none, openai: none, gemini: none, sandbox: 'auto', ...settings },
      log: { warn: () => undefined },
      sandboxChunkDelayMs: 0,
    })

  it.each(['claude', 'openai', 'gemini', 'custom'] as const)(
    'answers for %s, always the same, and says that no model was called',
    async (alias) => {
      const models = make({ custom: none, sandbox: 'on' })
      const call = { alias, prompt: 'Plan a **trip**\nto Bern' }
      const [first, second] = [await models.generate(call), await collect(models.stream(call))]
      expect(first.text).toMatch(/^\[sandbox\] /)
      expect(first.text).toContain('> Plan a **trip** to Bern')
      expect(first).toMatchObject({ provider: 'sandbox', requestedAlias: alias, costNanos: 0, retries: 0 })
      expect(first.inputTokens).toBeGreaterThan(0)
      expect(second.length).toBeGreaterThan(5)
      expect(second.at(-1)).toMatchObject({ text: first.text })
    },
  )

  it.each([
    { sandbox: 'auto', withKey: false, active: true },
    { sandbox: 'auto', withKey: true, active: false },
    { sandbox: 'on', withKey: true, active: true },
    { sandbox: 'off', withKey: false, active: false },
  ] as const)('is active=$active when set to $sandbox and a key is there: $withKey', (given) => {
    const openai = given.withKey ? { ...none, apiKey: 'key' } : none
    expect(make({ openai, sandbox: given.sandbox }).isSandbox()).toBe(given.active)
  })

  it('stops between two texts when the caller aborts', async () => {
    const caller = new AbortController()
    const reading = (async () => {
      for await (const _ of make({}).stream({ alias: 'claude', prompt: 'hi', signal: caller.signal })) {
        caller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'aborted' })
  })
})

it('has a default model id for each alias', () => {
  expect(Object.keys(MODEL_DEFAULTS)).toEqual(MODEL_ALIASES)
  for (const alias of ['claude', 'openai', 'gemini'] as const) {
    expect(MODEL_DEFAULTS[alias].modelId).toEqual(expect.any(String))
  }
})
