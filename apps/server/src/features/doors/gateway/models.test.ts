import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())

describe('GET /v1/models', () => {
  test('GET /v1/models answers in either vendor’s form, with claude-chain-{id} beside chain-{id}.', async () => {
    const { value, chain, model } = await gateway.serve()
    const names = [model, `claude-${model}`, chain.slug]
    const openai = { object: 'model', created: expect.any(Number), owned_by: 'catenary' }
    const unknown = { max_input_tokens: null, max_tokens: null }
    expect(await (await gateway.get('/v1/models', value)).json()).toEqual({
      object: 'list',
      data: names.map((id) => ({ id, ...openai })),
    })
    const version = { 'anthropic-version': '2023-06-01' }
    const anthropic = { type: 'model', display_name: chain.name, created_at: expect.any(String), ...unknown }
    expect(await (await gateway.get('/v1/models?limit=1000', value, version)).json()).toEqual({
      data: names.map((id) => ({ ...anthropic, id })),
      ...{ has_more: false, first_id: names[0], last_id: names[2] },
    })
    const second = await gateway.get(`/v1/models?limit=1&after_id=${names[0]}`, value, version)
    expect(await second.json()).toMatchObject({ data: [{ id: names[1] }], has_more: true })
    expect(await (await gateway.get('/v1/models?limit=1', value, version)).json()).toMatchObject({
      has_more: true,
    })
    expect(await (await gateway.get(`/v1/models/${names[1]}`, value)).json()).toEqual({
      id: names[1],
      ...openai,
    })
    expect((await gateway.get('/v1/models/chain-0', value)).status).toBe(404)
  })
})

test('GET /v1/models gives the known limits of a chain’s models, the smallest of several, in either vendor’s fields.', async () => {
  const address = 'https://api.example.org'
  const admin = await gateway.registerUser({ role: 'admin' })
  const add = async (modelId: string, contextTokens: number | null) => {
    const send = async (url: string, body: object) =>
      (await gateway.request({ method: 'POST', url, as: admin, body })).body as { id: number }
    const provider = { name: modelId, kind: 'anthropic', baseUrl: address, apiKey: 'key' }
    const { id: providerId } = await send('/api/admin/providers', provider)
    await send('/api/admin/models', { alias: modelId, label: modelId, providerId, modelId, contextTokens })
    return modelId
  }
  const large = await add('claude-sonnet-4-6', 500_000)
  const small = await add('claude-haiku-4-5', null)
  const foreign = await add('someone-s', null)
  const chainOf = (...models: string[]) =>
    gateway.buildChain(models.map((model) => ({ content: 'Say {{input}}', model })))
  const both = await chainOf(large, small, foreign)
  const one = await chainOf(large)
  const none = await chainOf(foreign)
  await gateway.request({
    ...{ method: 'PUT', url: `/api/chains/${both.id}/labels/staging`, as: gateway.owner },
    body: { version: both.version, expectedVersion: null },
  })
  const [, second] = both.steps
  await gateway.request({
    ...{ method: 'PATCH', url: `/api/chains/${both.id}/steps/${second?.id}`, as: gateway.owner },
    body: { model: large },
  })
  const read = async (id: number, label = '') => {
    const { token: value } = await gateway.createToken(id)
    const url = `/v1/models/chain-${id}${label}`
    const [openai, anthropic] = await Promise.all([
      gateway.get(url, value).then((reply) => reply.json()),
      gateway.get(url, value, { 'anthropic-version': '2023-06-01' }).then((reply) => reply.json()),
    ])
    return [
      [openai.context_window, openai.max_output_tokens],
      [anthropic.max_input_tokens, anthropic.max_tokens],
    ]
  }
  const twice = (input: number, output: number) => [
    [input, output],
    [input, output],
  ]
  expect(await read(both.id)).toEqual(twice(500_000, 128_000))
  expect(await read(both.id, '@staging')).toEqual(twice(200_000, 64_000))
  expect(await read(one.id)).toEqual(twice(500_000, 128_000))
  expect(await read(none.id)).toEqual([
    [undefined, undefined],
    [null, null],
  ])
})

test('what is not JSON, and no such type, is refused in the vendor’s form', async () => {
  const { value } = await gateway.serve()
  const send = (body: string, type: string) =>
    fetch(`${gateway.address}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': type },
      body,
    })
  for (const [reply, status] of [
    [await send('{', 'application/json'), 400],
    [await send('x', 'text/plain'), 415],
  ] as const) {
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  }
})
