import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())

describe('GET /v1/models', () => {
  test('each chain under both of its names, in the form of the vendor who asks', async () => {
    const { value, chain, model } = await gateway.serve()
    const names = [model, `claude-${model}`, chain.slug]
    const openai = { object: 'model', created: expect.any(Number), owned_by: 'catenary' }
    expect(await (await gateway.get('/v1/models', value)).json()).toEqual({
      object: 'list',
      data: names.map((id) => ({ id, ...openai })),
    })
    const version = { 'anthropic-version': '2023-06-01' }
    const anthropic = { type: 'model', display_name: chain.name, created_at: expect.any(String) }
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
