import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const ask = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }
const streamed = { ...ask, stream: true }
const CHAT = '/v1/chat/completions'

/** Reads a stream until it has said that. */
async function readUntil(reply: Response, mark: string): Promise<void> {
  let text = ''
  for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes(mark)) return
  }
  throw new Error(`The stream ended without ${mark}: ${text}`)
}

describe.each(routeDatabaseKinds)('a run behind a call, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  test.each([
    {
      path: '/v1/messages',
      body: { ...ask, max_tokens: 5 },
      usage: '"input_tokens":2900,"cache_read_input_tokens":2100,"output_tokens":12',
    },
    {
      path: CHAT,
      body: ask,
      usage: '"prompt_tokens":5000,"prompt_tokens_details":{"cached_tokens":2100},"completion_tokens":12',
    },
    {
      path: '/v1/responses',
      body: { model: 'any', input: 'Hello' },
      usage:
        '"input_tokens":5000,"input_tokens_details":{"cached_tokens":2100,"cache_write_tokens":0},"output_tokens":12',
    },
  ])('$path says what all steps read from caches, whole and streamed', async ({ path, body, usage }) => {
    const { value } = await gateway.serve(['one {{input}}', 'two {{a}}'])
    const options = path === CHAT ? { stream_options: { include_usage: true } } : {}
    for (const fields of [{}, { stream: true, ...options }]) {
      gateway.fake.reply(
        { text: 'A', inputTokens: 2_000, cachedTokens: 600, outputTokens: 2 },
        { text: 'B', inputTokens: 3_000, cachedTokens: 1_500, outputTokens: 10 },
      )
      const reply = await gateway.post(path, value, { ...body, ...fields })
      expect(await reply.text()).toContain(usage)
    }
  })

  describe('what fails once the chain has started', () => {
    test('before the first byte of a stream it is a status', async () => {
      const { value } = await gateway.serve()
      gateway.fake.replyByDefault({ status: 401 })
      for (const [path, body] of [
        ['/v1/messages', { ...streamed, max_tokens: 5 }],
        [CHAT, streamed],
        ['/v1/responses', { model: 'any', input: 'Hello', stream: true }],
      ] as const) {
        const reply = await gateway.post(path, value, body)
        expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([503, 'false'])
        expect(reply.headers.get('content-type')).toContain('application/json')
      }
    })

    test('After the first byte an error is an event.', async () => {
      const { value } = await gateway.serve()
      const half = { text: ['half '], fault: 'reset' as const }
      gateway.fake.reply(half, half, half)
      const messages = await (
        await gateway.post('/v1/messages', value, { ...streamed, max_tokens: 5 })
      ).text()
      expect(messages).toContain('"text":"half "')
      expect(messages).toMatch(
        /\n\nevent: error\ndata: {"type":"error","error":{"type":"[a-z_]+","message":"[^"]+"}}\n\n$/,
      )
      const chat = await (await gateway.post(CHAT, value, streamed)).text()
      expect(chat).toMatch(
        /\n\ndata: {"error":{"message":"[^"]+","type":"server_error","param":null,"code":[^}]+}}\n\n$/,
      )
      expect(chat).not.toContain('[DONE]')
      const body = { model: 'any', input: 'Hello', stream: true }
      const responses = await (await gateway.post('/v1/responses', value, body)).text()
      expect(responses).toMatch(
        /\n\nevent: response\.failed\ndata: {"type":"response\.failed".*"status":"failed".*\n\n$/,
      )
      expect(responses).not.toContain('response.completed')
    })

    test('A token shows calls, tokens, cost and last error.', async () => {
      const { value, token } = await gateway.serve(['one {{input}}', 'two {{a}}'])
      gateway.fake.reply({ text: 'A', inputTokens: 100, outputTokens: 10 }, { status: 401 })
      await gateway.post(CHAT, value, ask)
      const url = `/api/tokens?chainId=${token.chainId}`
      const [listed] = (await gateway.request({ url, as: gateway.owner })).body as object[]
      expect(listed).toMatchObject({
        ...{ calls: 1, inputTokens: 100, outputTokens: 10, lastUsed: expect.any(String) },
        lastError: { code: 'model_key', message: expect.any(String), at: expect.any(String) },
      })
    })
  })

  test('runs are listed in the order in which they started, whoever started them', async () => {
    const { value, chain } = await gateway.serve()
    const call = () => gateway.post(CHAT, value, ask)
    const byHand = async () => gateway.ended(await gateway.execute(chain.id, { input: 'Hello' }))
    for (const start of [call, byHand, call, byHand, call]) await start()
    const url = `/api/chains/${chain.id}/executions`
    const listed = (await gateway.request({ url, as: gateway.owner })).body as { trigger: string }[]
    expect(listed.map(({ trigger }) => trigger)).toEqual(['token', 'manual', 'token', 'manual', 'token'])
  })

  test('Hanging up ends the run.', async () => {
    const { value, chain } = await gateway.serve()
    gateway.fake.reply({ text: ['begun '], fault: 'silence' })
    const caller = new AbortController()
    const reply = await gateway.post(CHAT, value, streamed, {}, caller.signal)
    await readUntil(reply, 'begun').catch(() => undefined)
    caller.abort()
    await expect.poll(() => gateway.fake.journal[0]?.state).toBe('closed-by-client')
    await expect.poll(async () => (await gateway.lastRun(chain.id)).status).toBe('cancelled')
  })

  test('one that waits for the whole answer and leaves, too', async () => {
    const { value } = await gateway.serve()
    gateway.fake.reply({ fault: 'silence', text: ['begun '] })
    const caller = new AbortController()
    const left = gateway.post(CHAT, value, ask, {}, caller.signal).catch(() => 'left')
    await expect.poll(() => gateway.fake.journal.length).toBe(1)
    caller.abort()
    expect(await left).toBe('left')
    await expect.poll(() => gateway.fake.journal[0]?.state).toBe('closed-by-client')
  })

  test('A token’s runs are listed.', async () => {
    const { value, token, chain } = await gateway.serve()
    await gateway.post(CHAT, value, ask)
    await gateway.post('/v1/messages', value, { ...ask, max_tokens: 5, temperature: 0 })
    const url = `/api/tokens/${token.id}/executions`
    const listed = (await gateway.request({ url, as: gateway.owner })).body
    const own = { chainId: chain.id, trigger: 'token', token: { id: token.id, name: 'Helpdesk' } }
    expect(listed).toMatchObject([
      { ...own, apiCall: { path: '/v1/messages', ignored: ['temperature'] } },
      { ...own, apiCall: { path: CHAT, ignored: [] } },
    ])
    expect((await gateway.request({ url, as: gateway.other })).body).toEqual([])
    const manual = await gateway.execute(chain.id, { input: 'x' })
    await gateway.ended(manual)
    const through = `/api/chains/${chain.id}/executions?trigger=token`
    expect((await gateway.request({ url: through, as: gateway.owner })).body).toHaveLength(2)
  })

  test('a token that is deleted while its call goes on: the answer comes, and the run is kept', async () => {
    const { value, token, chain } = await gateway.serve()
    const release = Promise.withResolvers<void>()
    gateway.fake.reply({ text: 'late', before: () => release.promise })
    const reply = gateway.post(CHAT, value, ask)
    await expect.poll(() => gateway.fake.journal.length).toBe(1)
    await gateway.request({ method: 'DELETE', url: `/api/tokens/${token.id}`, as: gateway.owner })
    release.resolve()
    expect((await reply).status).toBe(200)
    expect(await gateway.lastRun(chain.id)).toMatchObject({ status: 'completed', token: null })
  })

  describe('with an Idempotency-Key', () => {
    const withKey = (key: string) => ({ 'idempotency-key': key })

    test('a repeated call gets the first one’s answer, and the model is paid once', async () => {
      const { value, token } = await gateway.serve()
      gateway.fake.reply({ text: 'once', delayMs: 50 })
      const send = (body: object) => gateway.post(CHAT, value, body, withKey('one'))
      const replies = await Promise.all([send(ask), send(ask)])
      const answers = await Promise.all(replies.map((reply) => reply.json()))
      expect(answers).toMatchObject([answers[0], { ...(answers[1] as object), choices: answers[0].choices }])
      expect(answers[1].id).toBe(answers[0].id)
      const stream = await (await send(streamed)).text()
      expect(stream).toContain('"content":"once"')
      expect(gateway.fake.journal).toHaveLength(1)
      expect((await send({ ...ask, max_tokens: 7 })).status).toBe(409)
      const url = `/api/tokens?chainId=${token.chainId}`
      const [listed] = (await gateway.request({ url, as: gateway.owner })).body as object[]
      expect(listed).toMatchObject({ calls: 1 })
    })

    test('With an Idempotency-Key a run goes on when its caller leaves, and a repeat follows it from its start (D46).', async () => {
      const { value, chain } = await gateway.serve()
      const release = Promise.withResolvers<void>()
      gateway.fake.reply({
        text: ['begun ', 'and done'],
        before: (index) => (index === 1 ? release.promise : undefined),
      })
      const caller = new AbortController()
      const first = await gateway.post(CHAT, value, streamed, withKey('two'), caller.signal)
      await readUntil(first, 'begun').catch(() => undefined)
      caller.abort()
      const second = await gateway.post(CHAT, value, streamed, withKey('two'))
      release.resolve()
      const text = await second.text()
      expect(text).toContain('"content":"begun ')
      expect(text).toContain('and done')
      expect(text).toContain('[DONE]')
      expect(gateway.fake.journal).toHaveLength(1)
      expect(await gateway.lastRun(chain.id)).toMatchObject({ status: 'completed', output: 'begun and done' })
    })

    test('the same key with another token is another call; a key of no use is refused', async () => {
      const [one, two] = [await gateway.serve(), await gateway.serve()]
      await gateway.post(CHAT, one.value, ask, withKey('three'))
      await gateway.post(CHAT, two.value, ask, withKey('three'))
      expect(gateway.fake.journal).toHaveLength(2)
      expect((await gateway.post(CHAT, one.value, ask, withKey('x'.repeat(201)))).status).toBe(400)
    })
  })
})

test('A deletion of a token works at once in every process.', async () => {
  const gateway = await startGateway('server')
  const other = await gateway.startProcess()
  await other.app.start()
  const address = await other.http.listen({ host: '127.0.0.1', port: 0 })
  const { value, token } = await gateway.serve()
  const ask = () => fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${value}` } })
  expect((await ask()).status).toBe(200)
  await gateway.request({ method: 'DELETE', url: `/api/tokens/${token.id}`, as: gateway.owner })
  await expect.poll(async () => (await ask()).status).toBe(401)
  await other.close()
  await gateway.close()
})

describe.each(routeDatabaseKinds)('a caller who waits, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())

  test('While earlier steps run, a stream gets pings or comments.', async () => {
    const { value } = await gateway.serve(['one {{input}}', 'two {{a}}'])
    const release = Promise.withResolvers<void>()
    gateway.fake.replyByDefault({ text: 'A', before: () => release.promise })
    const calls = [
      {
        path: '/v1/messages',
        body: { ...streamed, max_tokens: 5 },
        sign: 'event: ping\ndata: {"type":"ping"}\n\n',
      },
      { path: CHAT, body: streamed, sign: ': waiting\n\n' },
      { path: '/v1/responses', body: { model: 'any', input: 'Hello', stream: true }, sign: ': waiting\n\n' },
    ]
    const caller = new AbortController()
    await Promise.all(
      calls.map(async ({ path, body, sign }) =>
        readUntil(await gateway.post(path, value, body, {}, caller.signal), sign),
      ),
    )
    release.resolve()
    caller.abort()
  })
})
