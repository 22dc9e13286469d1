import type { CreatedChainToken } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const PATH = '/v1/responses'
const input = 'Dear Halden'

interface Said {
  id: string
  status: string
  error: { code: string | null; message: string; param?: string }
}

describe.each(routeDatabaseKinds)('an answer in the background, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind, {}, { chainRunsAtOnce: 2 })
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  const asking = () => ({
    ...{ kind: 'ask', title: 'Approve', content: '' },
    ask: makeStepAsk({ people: [gateway.owner.user.username] }),
  })
  const clientOf = (value: string) =>
    new OpenAI({ baseURL: `${gateway.address}/v1`, apiKey: value, maxRetries: 0 })
  const runOf = (id: string): number => Number(id.replace('resp_', ''))
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, value: string) => {
    const headers = { authorization: `Bearer ${value}` }
    const reply = await fetch(`${gateway.address}${path}`, { method, headers })
    return { status: reply.status, said: (await reply.json()) as Said }
  }
  const begin = async (value: string, fields: object = {}, headers: object = {}) => {
    const reply = await gateway.post(
      PATH,
      value,
      { model: 'any', input, background: true, ...fields },
      headers,
    )
    return { status: reply.status, headers: reply.headers, said: (await reply.json()) as Said }
  }
  const until = (value: string, { id }: { id: string }, status: string) =>
    vi.waitFor(async () => {
      const now = await clientOf(value).responses.retrieve(id)
      expect(now.status).toBe(status)
      return now
    })
  const askOf = (id: string): Promise<number> =>
    vi.waitFor(async () => {
      const { waitingFor } = await gateway.status(runOf(id), gateway.owner)
      return waitingFor?.askId ?? expect.fail('it does not wait')
    })
  const answer = (askId: number, decision = 'approve') =>
    gateway.request({
      ...{ method: 'POST' as const, url: `/api/asks/${askId}/answer`, as: gateway.owner, body: { decision } },
    })
  const listed = async ({ token }: { token: CreatedChainToken }) => {
    const url = `/api/tokens?chainId=${token.chainId}`
    const [found] = (await gateway.request({ url, as: gateway.owner })).body as object[]
    return found
  }

  test('POST /v1/responses with background answers at once, and the official openai client fetches the answer once a person has decided (D83).', async () => {
    const served = await gateway.serve(['Write {{input}}.', asking(), 'Send {{b.text}}.'])
    const { value, model } = served
    gateway.fake.reply(
      { text: 'Dear Sir', inputTokens: 5, outputTokens: 2 },
      { text: 'Sent', inputTokens: 7, outputTokens: 3 },
    )
    const client = clientOf(value)
    const created = await client.responses.create({ model, input, background: true, metadata: { a: 'b' } })
    expect(created).toMatchObject({ background: true, store: true, output: [], metadata: { a: 'b' }, model })
    expect(['queued', 'in_progress']).toContain(created.status)
    const askId = await askOf(created.id)
    expect(await client.responses.retrieve(created.id)).toMatchObject({
      ...{ id: created.id, status: 'in_progress', error: null, completed_at: null, usage: null },
    })
    expect((await answer(askId)).status).toBe(200)
    const done = await until(value, created, 'completed')
    expect(done).toMatchObject({
      ...{ id: created.id, output_text: 'Sent', created_at: created.created_at, error: null },
      ...{ metadata: { a: 'b' }, model, background: true },
      usage: { input_tokens: 12, output_tokens: 5, total_tokens: 17 },
    })
    expect(done.output).toMatchObject([{ type: 'message', status: 'completed', role: 'assistant' }])
    await vi.waitFor(async () =>
      expect(await listed(served)).toMatchObject({
        ...{ calls: 1, inputTokens: 12, outputTokens: 5, lastError: null },
      }),
    )
  })

  test('An answer in the background is queued until a worker begins it.', async () => {
    const { value } = await gateway.serve(['Write {{input}}.'])
    gateway.fake.replyByDefault({ text: 'Slow', delayMs: 60_000 })
    const states = await Promise.all([1, 2, 3, 4].map(async () => (await begin(value)).said))
    expect(states.map(({ status }) => status).toSorted()).toEqual([
      ...['in_progress', 'in_progress'],
      ...['queued', 'queued'],
    ])
    const queued = states.find(({ status }) => status === 'queued')
    expect(await clientOf(value).responses.cancel(queued?.id ?? '')).toMatchObject({ status: 'cancelled' })
    await Promise.all(states.map(({ id }) => send('POST', `${PATH}/${id}/cancel`, value)))
  })

  test('An answer in the background can be cancelled, waiting for a person or for a model, and then asks nobody.', async () => {
    const { value } = await gateway.serve([asking(), 'Send {{a.text}}.'])
    const client = clientOf(value)
    const waits = await begin(value)
    const askId = await askOf(waits.said.id)
    for (const _ of [1, 2]) {
      expect(await client.responses.cancel(waits.said.id)).toMatchObject({ status: 'cancelled', error: null })
    }
    expect((await gateway.request({ url: `/api/asks/${askId}`, as: gateway.owner })).body).toMatchObject({
      status: 'withdrawn',
    })
    expect(await client.responses.retrieve(waits.said.id)).toMatchObject({ status: 'cancelled' })

    gateway.fake.reply({ text: 'Sent', delayMs: 60_000 })
    const runs = await begin(value)
    await answer(await askOf(runs.said.id))
    await vi.waitFor(() => expect(gateway.sent()).toHaveLength(1))
    expect(await client.responses.cancel(runs.said.id)).toMatchObject({ status: 'cancelled' })
    expect((await gateway.find(runOf(runs.said.id))).status).toBe('cancelled')
  })

  test('An answer in the background that fails or was cut says so, as one that is waited for.', async () => {
    const { value } = await gateway.serve()
    gateway.fake.reply({ status: 401 })
    const failed = await begin(value)
    expect(await until(value, failed.said, 'failed')).toMatchObject({
      ...{ error: { code: expect.any(String), message: expect.any(String) }, output: [], usage: null },
    })
    gateway.fake.reset()
    gateway.fake.reply({ text: 'cut', finish: 'length' })
    const cut = await begin(value)
    expect(await until(value, cut.said, 'incomplete')).toMatchObject({
      ...{ incomplete_details: { reason: 'max_output_tokens' }, output_text: 'cut', completed_at: null },
    })
    const { value: asks } = await gateway.serve([asking(), 'Send {{a.text}}.'])
    const rejected = await begin(asks)
    await answer(await askOf(rejected.said.id), 'reject')
    expect(await until(asks, rejected.said, 'failed')).toMatchObject({ error: { code: 'invalid_prompt' } })
  })

  test('Only the token that asked for it reads, cancels or deletes an answer in the background, for 30 days.', async () => {
    const { value, chain } = await gateway.serve()
    const { token: other } = await gateway.createToken(chain.id)
    gateway.fake.replyByDefault({ text: 'Done' })
    const { said } = await begin(value)
    await until(value, said, 'completed')
    const plain = await gateway.post(PATH, value, { model: 'any', input })
    const { id: notKept } = (await plain.json()) as Said
    const missing = (name: string) => ({
      ...{ code: 'response_not_found', param: 'response_id', type: 'invalid_request_error' },
      message: `This token has no response ${name}.`,
    })
    for (const [name, token] of [
      [said.id, other],
      [notKept, value],
      ['resp_0', value],
      ['resp_99999999999', value],
      ['msg_1', value],
    ] as const) {
      for (const [method, path] of [
        ['GET', `${PATH}/${name}`],
        ['POST', `${PATH}/${name}/cancel`],
        ['DELETE', `${PATH}/${name}`],
      ] as const) {
        const { status, said } = await send(method, path, token)
        expect([status, said.error], `${method} ${path}`).toEqual([404, missing(name)])
      }
    }
    expect((await send('GET', `${PATH}/${said.id}`, 'none')).status).toBe(401)
    const age = (days: number) =>
      gateway.db.execute(sql`
        update executions set executed_at = now() - make_interval(days => ${days}) where id = ${runOf(said.id)}`)
    await age(29)
    expect((await send('GET', `${PATH}/${said.id}`, value)).status).toBe(200)
    await age(31)
    expect((await send('GET', `${PATH}/${said.id}`, value)).status).toBe(404)
  })

  test('A deleted answer is given out no more, and its run stays; one that goes on is cancelled first.', async () => {
    const { value } = await gateway.serve([asking()])
    const { said } = await begin(value)
    const askId = await askOf(said.id)
    expect(await send('DELETE', `${PATH}/${said.id}`, value)).toMatchObject({
      ...{
        status: 409,
        said: { error: { code: 'conflict', message: `${said.id} has not ended. Cancel it first.` } },
      },
    })
    await answer(askId)
    await until(value, said, 'completed')
    await clientOf(value).responses.delete(said.id)
    expect((await send('GET', `${PATH}/${said.id}`, value)).status).toBe(404)
    expect(await gateway.find(runOf(said.id))).toMatchObject({ status: 'completed' })
  })

  test('A call in the background goes on without its caller, once for each Idempotency-Key.', async () => {
    const { value } = await gateway.serve()
    gateway.fake.replyByDefault({ text: 'Done' })
    const key = { 'idempotency-key': 'one' }
    const [first, second] = [await begin(value, {}, key), await begin(value, {}, key)]
    expect([second.status, second.said.id]).toEqual([200, first.said.id])
    await until(value, first.said, 'completed')
    expect(gateway.sent()).toHaveLength(1)
    expect((await gateway.post(PATH, value, { model: 'any', input }, key)).status).toBe(409)
  })

  test('What an answer in the background can’t be is refused by name: streamed, not stored, or a prompt’s.', async () => {
    const { value } = await gateway.serve()
    for (const [fields, param] of [
      [{ stream: true }, 'stream'],
      [{ store: false }, 'store'],
      [{ prompt: { id: 'any' } }, 'background'],
    ] as const) {
      const { status, said } = await begin(value, fields)
      expect([status, said.error.param]).toEqual([400, param])
    }
    const resumed = await begin(value, {}, { 'x-catenary-resume': '1' })
    expect([resumed.status, resumed.said.error.param]).toEqual([400, 'background'])
    gateway.fake.replyByDefault({ text: 'Done' })
    const { said, headers } = await begin(value, { store: true })
    expect(headers.get('x-catenary-ignored')).toBeNull()
    await until(value, said, 'completed')
    expect((await send('GET', `${PATH}/${said.id}?stream=true`, value)).said.error.param).toBe('stream')
  })

  test('A call in the background holds a place among the token’s calls at once until it waits or ends.', async () => {
    const { value } = await gateway.serve([asking(), 'Send {{a.text}}.'], { callsAtOnce: 1 })
    gateway.fake.replyByDefault({ text: 'Sent', delayMs: 60_000 })
    const first = await begin(value)
    const askId = await askOf(first.said.id)
    const second = await vi.waitFor(async () => {
      const begun = await begin(value)
      expect(begun.status).toBe(200)
      return begun
    })
    await answer(askId)
    for (const { said } of [first, second]) await send('POST', `${PATH}/${said.id}/cancel`, value)
  })
})
