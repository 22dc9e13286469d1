import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const steps = [
  { content: 'one {{input}}', title: 'Gather' },
  { content: 'two {{a}}', title: 'Write it up' },
]
/** Each wire's call, and where its error stands. */
const WIRES = [
  { path: '/v1/messages', final: 403, body: { model: 'any', max_tokens: 50, messages } },
  { path: '/v1/chat/completions', final: 400, body: { model: 'any', messages } },
  { path: '/v1/responses', final: 400, body: { model: 'any', input: 'Hello' } },
]

describe.each(routeDatabaseKinds)('a call whose chain fails, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  describe.each(WIRES)('$path', ({ path, final, body }) => {
    test.each([
      ['refuses the request', { status: 400, message: 'no such thing' }],
      ['is out of quota', { status: 402 }],
      ['refuses the key', { status: 401 }],
    ])(
      'A chain that fails after a completed step is `chain_failed`, 400 or for Anthropic’s clients 403, or the error event, with the step’s name and the run (D63, D73). (%s)',
      async (_what, failure) => {
        const { value, chain } = await gateway.serve(steps)
        for (const stream of [false, true]) {
          gateway.fake.reply({ text: 'A' }, failure)
          const reply = await gateway.post(path, value, { ...body, stream })
          const run = await gateway.lastRun(chain.id)
          expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([final, 'false'])
          expect(reply.headers.get('x-catenary-execution')).toBe(`${run.id}`)
          expect(reply.headers.get('retry-after')).toBeNull()
          const { error } = (await reply.json()) as { error: { type: string; message: string; code: string } }
          expect(error.code).toBe('chain_failed')
          expect(error.message).toBe(`Step 2 “Write it up” failed: ${run.error}`)
          expect(error.type).toBe('api_error')
        }
      },
    )

    test('A chain that fails before a step completed is the vendor’s 429 with its time, or 503 (D63, D73).', async () => {
      const { value } = await gateway.serve(steps)
      gateway.fake.replyByDefault({ status: 429, retryAfter: '17' })
      const reply = await gateway.post(path, value, body)
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '17'])
      expect(reply.headers.get('x-should-retry')).toBeNull()
      expect(await reply.json()).toMatchObject({
        error: { type: 'rate_limit_error', message: expect.stringMatching(/^Step 1 “Gather” failed: /) },
      })
    })

    test.each([
      [500, null],
      [529, null],
      [400, 'false'],
      [401, 'false'],
    ])('nothing completed: any other state of the vendor, such as %s, is 503', async (status, retry) => {
      const { value } = await gateway.serve(steps)
      gateway.fake.replyByDefault({ status })
      const reply = await gateway.post(path, value, body)
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([503, retry])
      const { error } = (await reply.json()) as { error: { type: string } }
      expect(error.type).toBe(path === '/v1/messages' ? 'api_error' : 'server_error')
    })

    test('A variable that the token’s owner lacks is 422 with its name.', async () => {
      const { value } = await gateway.serve(['Dear $<customer_name>: {{input}}'])
      const reply = await gateway.post(path, value, body)
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([422, 'false'])
      expect(await reply.json()).toMatchObject({
        error: {
          type: 'invalid_request_error',
          message: expect.stringContaining('$<customer_name> has no value'),
        },
      })
      expect(gateway.fake.journal).toHaveLength(0)
    })

    test('a failure that will not change says so, and no client asks again', async () => {
      const { value } = await gateway.serve()
      const foreign = { ...body, model: 'chain-999999' }
      const forced = { ...body, tool_choice: { type: 'any' } }
      const text = { 'content-type': 'text/plain' }
      const statuses = []
      for (const reply of [
        await gateway.post(path, 'none', body),
        await gateway.post(path, value, foreign),
        await gateway.post(path, value, forced),
        await gateway.post(path, value, { model: 'x' }),
        await gateway.post(path, value, body, { 'x-catenary-depth': '3' }),
        await gateway.post(path, value, body, text),
      ]) {
        expect(reply.headers.get('x-should-retry')).toBe('false')
        statuses.push(reply.status)
      }
      expect(statuses).toEqual([401, 404, 400, 400, 400, 415])
    })
  })

  test('a stream that has begun ends with the vendor’s error event, which names the step', async () => {
    const { value } = await gateway.serve(steps, { showsProgress: true })
    const said = []
    for (const { path, body } of WIRES) {
      gateway.fake.reply({ text: 'A' }, { status: 400, message: 'no such thing' })
      const reply = await gateway.post(path, value, { ...body, stream: true })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('x-catenary-execution')).toMatch(/^\d+$/)
      said.push(await reply.text())
    }
    expect(said[0]).toMatch(
      /\nevent: error\ndata: {"type":"error","error":{"type":"api_error","message":"Step 2 “Write it up” failed: [^"]+","code":"chain_failed"}}\n\n$/,
    )
    expect(said[1]).toMatch(
      /\n\ndata: {"error":{"message":"Step 2 “Write it up” failed: [^"]+","type":"api_error","param":null,"code":"400"}}\n\n$/,
    )
    expect(said[2]).toMatch(
      /\nevent: response\.failed\n.*"error":{"code":"invalid_prompt","message":"Step 2 “Write it up” failed: .*\n\n$/,
    )
  })

  test('a run that a person stopped is not restarted by its client', async () => {
    const { value, chain } = await gateway.serve(steps)
    gateway.fake.reply({ fault: 'silence', text: ['begun '] })
    const reply = gateway.post('/v1/chat/completions', value, { model: 'any', messages })
    await expect.poll(() => gateway.fake.journal.length).toBe(1)
    const run = await gateway.lastRun(chain.id)
    await gateway.request({ method: 'POST', url: `/api/executions/${run.id}/cancel`, as: gateway.owner })
    expect([(await reply).status, (await reply).headers.get('x-should-retry')]).toEqual([400, 'false'])
  })

  describe('an address with nothing to call', () => {
    const anthropic = { 'anthropic-version': '2023-06-01' }
    const ask = (method: string, path: string, headers: object = {}, value = gateway.admin.user.username) =>
      fetch(`${gateway.address}${path}`, {
        method,
        headers: { authorization: `Bearer ${value}`, ...headers },
      })

    test.each([
      ['GET', '/v1/messages', 405, {}],
      ['DELETE', '/v1/messages', 405, {}],
      ['GET', '/v1/messages/batches', 404, {}],
      ['POST', '/v1/complete', 404, anthropic],
      ['POST', '/v1/files', 404, anthropic],
      ['POST', '/v1/models', 405, anthropic],
    ])('%s %s is %i in Anthropic’s form', async (method, path, status, headers) => {
      const { value } = await gateway.serve()
      const reply = await ask(method, path, headers, value)
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([status, 'false'])
      const type = status === 404 ? 'not_found_error' : 'invalid_request_error'
      expect(await reply.json()).toMatchObject({
        ...{ type: 'error', request_id: expect.stringMatching(/./) },
        error: { type, message: expect.stringContaining(`${method} ${path}`) },
      })
    })

    test.each([
      ['GET', '/v1/chat/completions', 405, 'method_not_supported'],
      ['PUT', '/v1/responses', 405, 'method_not_supported'],
      ['DELETE', '/v1/models/chain-1', 405, 'method_not_supported'],
      ['POST', '/v1/embeddings', 404, 'unknown_url'],
      ['GET', '/v1/responses/resp_1', 404, 'response_not_found'],
      ['PUT', '/v1/responses/resp_1', 405, 'method_not_supported'],
      ['GET', '/v1/responses/resp_1/cancel', 405, 'method_not_supported'],
      ['GET', '/v1/responses/resp_1/input_items', 404, 'unknown_url'],
      ['POST', '/v1', 404, 'unknown_url'],
      ['GET', '/v1/', 404, 'unknown_url'],
      ['GET', '/v1/%zz', 400, null],
    ])('%s %s is %i in OpenAI’s form', async (method, path, status, code) => {
      const { value } = await gateway.serve()
      const reply = await ask(method, path, {}, value)
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([status, 'false'])
      expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', code } })
      if (status === 405) expect(reply.headers.get('allow')).toMatch(/^(POST|GET, HEAD(, DELETE)?)$/)
    })
  })
})
