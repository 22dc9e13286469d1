import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import {
  ODD_WRITERS,
  type OddAnswer,
  type OddWriter,
  toStream,
} from '../../testing/fake-providers/odd-answers.ts'
import {
  CANARY_KEY,
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'

const MAX_RETRIES = 3

const ALL = 1 + MAX_RETRIES
const PRICE = { inputPerMillionUsd: 1, outputPerMillionUsd: 1 }
const FORMS = ['stream', 'whole'] as const
type Form = (typeof FORMS)[number]

const text = (text: string) => ({ is: 'text' as const, text })
const thought = (text: string) => ({ is: 'thought' as const, text })
const unknown = (text: string) => ({ is: 'unknown' as const, text })
const PARIS: OddAnswer = { parts: [text('Par'), text('is')] }

/** One odd reply: what comes, and what is made of it. Add a row, and it is read or refused by name over each wire. */
interface Row {
  is: string
  reply(writer: OddWriter, form: Form): FakeReply
  /** The result, or the error. */
  gives: object
  /** How often the provider is asked; by default once. */
  calls?: number
}

const bodyOf = (answer: OddAnswer, writer: OddWriter, form: Form) =>
  form === 'stream' ? toStream(writer.events(answer)) : JSON.stringify(writer.whole(answer))
const answering = (is: string, answer: OddAnswer, gives: object, calls = 1): Row => ({
  is,
  reply: (writer, form) => ({ raw: bodyOf(answer, writer, form) }),
  gives,
  calls,
})
const wrapped = (is: string, wrap: (body: string) => Partial<FakeReply>): Row => ({
  is,
  reply: (writer, form) => wrap(bodyOf(PARIS, writer, form)),
  gives: { text: 'Paris', inputTokens: 5, outputTokens: 3, finishReason: 'stop' },
})
const packed = (name: string, pack: (body: string) => Uint8Array): Row =>
  wrapped(`packed by ${name}`, (body) => ({ raw: pack(body), headers: { 'content-encoding': name } }))
/** The same in the event of a stream, or as the whole. */
const saying = (is: string, value: unknown, gives: object, calls = 1): Row => ({
  is,
  reply: (_, form) => ({
    raw: form === 'stream' ? toStream([JSON.stringify(value)]) : JSON.stringify(value),
  }),
  gives,
  calls,
})
const empty = { code: 'model_malformed', message: expect.stringContaining('empty answer') }
const notKnown = (what: string) => ({
  code: 'model_malformed',
  message: expect.stringMatching(new RegExp(`in an unknown form: .*${what}`)),
})
const says = (code: string, sentence: string) => ({ code, message: expect.stringContaining(sentence) })

const ROWS: Row[] = [
  answering(
    'a thought, then parts of a text',
    { parts: [thought('Hm.'), ...PARIS.parts] },
    { text: 'Paris' },
  ),
  answering(
    'a part of a later version that carries nothing',
    { parts: [...PARIS.parts, { is: 'empty', text: '' }] },
    { text: 'Paris' },
  ),
  answering('a part that is not known', { parts: [text('Par'), unknown('is')] }, notKnown('“')),
  answering('a part that is not known, alone', { parts: [unknown('Paris')] }, notKnown('“')),
  answering('nothing but thoughts', { parts: [thought('Hm.')] }, empty),
  answering('an empty text', { parts: [text('')] }, empty),
  answering('a NUL', { parts: [text('Pa\0ris')] }, { text: 'Pa\uFFFDris' }),
  ...['error', 'ABORT', 'cancelled'].flatMap((finish) => {
    const broken = says('model_unavailable', `its answer with “${finish}”`)
    return [
      answering(
        `${finish} after a text`,
        { parts: [text('Par')], finish },
        { ...broken, used: { inputTokens: 5, outputTokens: 3 } },
      ),
      answering(
        `${finish} before any text`,
        { parts: [], finish },
        { ...broken, used: { inputTokens: 20, outputTokens: 12, costNanos: 32_000 } },
        ALL,
      ),
    ]
  }),
  ...['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length'].map((finish) =>
    answering(`an end by ${finish}`, { ...PARIS, finish }, { text: 'Paris', finishReason: 'length' }),
  ),
  answering(
    'an end that is not known',
    { ...PARIS, finish: 'of_2031' },
    { text: 'Paris', finishReason: 'unknown' },
  ),
  answering('a tool', { parts: [], finish: 'tool_calls' }, says('model_malformed', 'called a tool')),
  packed('gzip', gzipSync),
  packed('deflate', deflateSync),
  packed('br', brotliCompressSync),
  packed('zstd', zstdCompressSync),
  {
    is: 'packed by nobody knows what',
    reply: (writer, form) => ({ raw: bodyOf(PARIS, writer, form), headers: { 'content-encoding': 'lzma' } }),
    gives: notKnown('lzma'),
  },
  ...['application/json', 'text/event-stream', 'text/plain', ''].map((contentType) =>
    wrapped(`called ${contentType || 'nothing'}`, (raw) => ({ raw, contentType })),
  ),
  wrapped('with a byte order mark', (body) => ({ raw: `\uFEFF${body}` })),
  wrapped('after empty lines', (body) => ({ raw: `\n\n${body}` })),
  wrapped('with carriage returns alone', (body) => ({ raw: body.replaceAll('\n', '\r') })),
  wrapped('with one line end between events', (body) => ({ raw: body.replaceAll('\n\n', '\n') })),
  wrapped('without its last line ends', (body) => ({ raw: body.trimEnd() })),
  wrapped('with garbage after its end', (body) => ({ raw: `${body}\ndata: {"half\n\ngarbage` })),
  wrapped('with an error after its end', (body) => ({
    raw: `${body}data: {"error":{"message":"late"}}\n\n`,
  })),
  {
    is: 'a list of events, or JSON in a row',
    reply: (writer, form) => {
      const values = writer.events(PARIS).filter((event) => typeof event === 'object')
      const lines = values.map((value) => JSON.stringify(value))
      return { raw: form === 'stream' ? `[${lines.join(',')}]` : lines.join('\n') }
    },
    gives: { text: 'Paris' },
  },
  ...[0, 1].map(
    (index): Row => ({
      is: `a reply without an answer (${index})`,
      reply: ({ nothing }) => ({ raw: JSON.stringify(nothing[index]) }),
      gives: empty,
    }),
  ),
  saying(
    'what Ollama’s own API says',
    { model: 'm', message: { role: 'assistant', content: 'Paris' } },
    notKnown('message.content'),
  ),
  saying('what its older one says', { model: 'm', response: 'Paris', done: true }, notKnown('response')),
  saying('a text in a list of its own', [{ generated_text: 'Paris' }], notKnown('generated_text')),
  saying('a bare text', 'Paris', notKnown('a bare text')),
  {
    is: 'plain words',
    reply: () => ({ raw: `no key ${CANARY_KEY}, sorry` }),
    gives: notKnown('no key \\[key\\], sorry'),
  },
  saying(
    '429 within a 200',
    { error: { message: 'Rate limit exceeded: free-models-per-day', code: 429 } },
    says('model_quota', 'free-models-per-day'),
    ALL,
  ),
  saying(
    '401 within a 200',
    { error: { message: 'No auth credentials found', code: 401 } },
    says('model_key', 'No auth credentials found'),
  ),
  saying(
    'the same with its code as a text',
    { error: { message: 'No auth credentials found', code: '401' } },
    says('model_key', 'No auth'),
  ),
  saying(
    'an error of vLLM',
    { object: 'error', message: 'maximum context length is 4096', type: 'BadRequestError', code: 400 },
    says('model_rejected', 'maximum context length is 4096'),
  ),
  saying(
    'a detail',
    { detail: 'Model is overloaded, queue is full' },
    says('model_unavailable', 'queue is full'),
    ALL,
  ),
  saying(
    'a list of errors',
    [{ error: { code: 400, message: 'API key not valid.' } }],
    says('model_rejected', 'API key not valid.'),
  ),
  saying(
    'errors of Cloudflare',
    { success: false, errors: [{ code: 7003, message: 'invalid route' }] },
    says('model_rejected', 'invalid route'),
  ),
  saying(
    'a message with a status',
    { statusCode: 401, message: 'Invalid token' },
    says('model_key', 'Invalid token'),
  ),
  saying('an error that is a text', { error: 'unauthorized' }, says('model_key', 'unauthorized')),
  saying(
    'an error of MiniMax',
    { choices: null, base_resp: { status_code: 1004, status_msg: 'login fail: invalid api key' } },
    says('model_key', 'login fail'),
  ),
]

let on: ModelsOnFake | undefined
afterEach(() => on?.close())

const CELLS = FAKE_WIRES.flatMap((wire) => FORMS.map((form) => ({ wire, form })))
describe.each(CELLS)('over the $wire.name wire, as a $form,', ({ wire, form }) => {
  it.each(ROWS)(
    'What carries an answer in a form that is not known is an error that names it, never an empty text (D71). ($is)',
    async ({ reply, gives, calls = 1 }) => {
      on = await startModelsOnFake({ wire, prices: { m: PRICE, 'fake-model': PRICE } })
      on.fake.replyByDefault(reply(ODD_WRITERS[wire.name], form))
      const asked = on.models.generate({ alias: wire.alias, prompt: 'hi' })
      const outcome = await asked.catch((error: unknown) => error)
      expect(outcome).toMatchObject(gives)
      expect(JSON.stringify([String(outcome), outcome, on.logged])).not.toContain(CANARY_KEY)
      expect(on.fake.journal).toHaveLength(calls)
      expect(on.fake.journal[0]?.headers['accept-encoding']).toBe('identity')
    },
  )
})

it('An answer that has arrived is not asked for again, whatever follows it. One that its API calls broken off fails, and is asked for again only before any text (D71).', async () => {
  const [, , wire] = FAKE_WIRES
  on = await startModelsOnFake({ wire, prices: { m: PRICE, 'fake-model': PRICE } })
  const broken = ODD_WRITERS[wire.name].events({ parts: [], finish: 'error' })
  on.fake.reply({ raw: toStream(broken) }, { text: 'Paris', inputTokens: 7, outputTokens: 2 })
  expect(await on.models.generate({ alias: wire.alias, prompt: 'hi' })).toMatchObject({
    text: 'Paris',
    retries: 1,
    inputTokens: 12,
    outputTokens: 5,
    costNanos: 17_000,
  })
})

it('An answer that Gemini spreads over several replies takes eight at most, each counted; then it is marked as cut.', async () => {
  const [, , , wire] = FAKE_WIRES
  on = await startModelsOnFake({ wire })
  const part = {
    content: { parts: [{ text: 'on ' }] },
    finishReason: 'CONTINUATION',
    continuationToken: 'more',
  }
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 3 }
  on.fake.replyByDefault({ raw: toStream([{ candidates: [part], usageMetadata }]) })
  const call = { alias: wire.alias, prompt: 'hi' }
  expect(await on.models.generate(call)).toMatchObject({
    text: 'on '.repeat(8),
    finishReason: 'length',
    inputTokens: 40,
    outputTokens: 24,
  })
  expect(on.fake.journal).toHaveLength(8)
  // The most that was asked for bounds it too.
  expect(await on.models.generate({ ...call, maxTokens: 4 })).toMatchObject({
    text: 'on on ',
    outputTokens: 6,
  })
  expect(on.fake.journal).toHaveLength(10)
})

describe('thoughts in tags', () => {
  const said = ['<th', 'ink>The user asks for a capital.</thi', 'nk>\n\nParis']
  const ofCustom = async (reply: FakeReply) => {
    const [, , wire] = FAKE_WIRES
    on = await startModelsOnFake({ wire, hasCustom: true })
    on.fake.replyByDefault(reply)
    return on
  }
  it.each([{ text: said }, { text: said, whole: true }])(
    'are no part of an answer of one’s own server',
    async (reply) => {
      const { models } = await ofCustom(reply)
      expect(await models.generate({ alias: 'custom', prompt: 'hi' })).toMatchObject({ text: 'Paris' })
      // OpenAI itself writes no thoughts there.
      expect(await models.generate({ alias: 'openai', prompt: 'hi' })).toMatchObject({ text: said.join('') })
    },
  )
  it('that are cut leave no answer, and say so', async () => {
    const { models } = await ofCustom({ text: ['<think>The user'], finish: 'length' })
    const asked = models.generate({ alias: 'custom', prompt: 'hi' })
    await expect(asked).rejects.toThrow('its token limit was reached before any text')
  })
})
