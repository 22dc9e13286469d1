import type { CreatedWebhook, ModelProvider, Variable, WebhookDelivery } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { CLOUD_HOSTS } from '../../testing/hostile-network/hostile-hosts.ts'
import { mediaOf } from '../../testing/media.ts'
import { MODELS, PROVIDERS, type RegistryLibrary, startRegistryLibrary } from '../../testing/registry.ts'

const NEVER = /link-local addresses and cloud providers’ internal services are never called/
const OFTEN = { interval: 25 }

let library: RegistryLibrary
beforeAll(async () => {
  const outbound = createOutbound({ allowHosts: CLOUD_HOSTS })
  library = await startRegistryLibrary('embedded', {}, {}, { outbound })
  await library.app.start()
  await mediaOf(library).hold('shot', null)
})
afterAll(() => library.close())

describe.each(CLOUD_HOSTS)('a cloud’s own service at %s, which the settings allow too', (host) => {
  const url = `http://${host}/latest`
  const number = CLOUD_HOSTS.indexOf(host)

  test('is not fetched for an API variable', async () => {
    const { owner, send } = library
    expect((await send('POST', '/api/proxy', { apiUrl: url }, owner)).text).toMatch(NEVER)
    const variable = { name: `cloud_${number}`, type: 'api', apiUrl: url }
    const { id } = (await send('POST', '/api/variables', variable, owner)).body as Variable
    for (const path of [
      `/api/variables/${id}/content`,
      `/api/variables/${id}/preview`,
      `/api/proxy?url=${encodeURIComponent(url)}&variableId=${id}`,
    ])
      expect(await library.read(path, owner), path).toMatchObject({ error: expect.stringMatching(NEVER) })
  })

  test('is no provider, nor asked by one whose name leads there later', async () => {
    const provider = { name: 'Cloud', kind: 'compatible', baseUrl: `http://${host}/v1` }
    for (const allowsPrivateAddress of [true, false]) {
      const { name: _, ...asked } = { ...provider, allowsPrivateAddress }
      expect((await library.send('POST', PROVIDERS, { name: 'Cloud', ...asked })).text).toMatch(
        /never called/,
      )
      expect((await library.send('POST', `${PROVIDERS}/list-models`, asked)).text).toMatch(/never called/)
      const saved: ModelProvider = await library.addProvider()
      const model = await library.addModel({ alias: `cloud-${number}-${allowsPrivateAddress}` }, saved)
      await library.client.pool.query(
        'update model_providers set base_url = $1, allows_private_address = $2 where id = $3',
        [provider.baseUrl, allowsPrivateAddress, saved.id],
      )
      expect((await library.send('POST', `${MODELS}/${model.id}/test`)).text).toMatch(NEVER)
      expect((await library.send('POST', `${PROVIDERS}/${saved.id}/list-models`)).text).toMatch(NEVER)
    }
  })

  test('is posted no event', async () => {
    const { owner, send } = library
    const body = { url, events: ['run.completed'] }
    const { id } = (await send('POST', '/api/webhooks', body, owner)).body as CreatedWebhook
    await send('POST', `/api/webhooks/${id}/test`, undefined, owner)
    await vi.waitFor(async () => {
      const text = JSON.stringify(
        await library.read<WebhookDelivery[]>(`/api/webhooks/${id}/deliveries`, owner),
      )
      expect(text).toMatch(NEVER)
    }, OFTEN)
    await send('DELETE', `/api/webhooks/${id}`, undefined, owner)
  })

  test('gives no image of a call', async () => {
    const { owner, send } = library
    const chain = await library.buildChain(['See $<shot>'])
    const token = await send('POST', '/api/tokens', { name: 'Images', chainId: chain.id }, owner)
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url } },
    ]
    const reply = await library.request({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { authorization: `Bearer ${(token.body as { token: string }).token}` },
      body: { model: `chain-${chain.id}`, messages: [{ role: 'user', content }] },
    })
    expect([reply.status, reply.text]).toEqual([400, expect.stringMatching(NEVER)])
  })
})
