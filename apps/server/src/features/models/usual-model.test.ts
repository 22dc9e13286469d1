import type { Instance, ManagedModel, ModelProvider } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type FakeProvider, startFakeProvider } from '../../testing/fake-providers/fake-provider.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { MODELS, PROVIDERS } from '../../testing/registry.ts'

const KEY = 'sk-canary-usual-model-1a2b'

describe.each(routeDatabaseKinds)('a model of the environment without a key there, on %s', (kind) => {
  let library: Library
  let vendor: FakeProvider
  beforeAll(async () => {
    ;[library, vendor] = await Promise.all([startLibrary(kind), startFakeProvider({ vendor: 'openai' })])
  })
  afterAll(() => Promise.all([library.close(), vendor.close()]))

  test('A model of the environment without a key there can use one that an admin added, and goes back when it is deleted.', async () => {
    const as = await library.registerUser({ role: 'admin' })
    const call = async <Reply>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const reply = await library.request({ method, url, body, as })
      expect(reply.status, reply.text).toBeLessThan(300)
      return reply.body as Reply
    }
    const find = async () =>
      (await call<ManagedModel[]>('GET', MODELS)).find(({ alias }) => alias === 'openai')
    const isSandbox = async () => (await call<Instance>('GET', '/api/instance')).sandbox
    const before = await find()
    expect(before).toMatchObject({ isFromEnvironment: true, configured: false, label: 'GPT-4o' })
    expect(await isSandbox()).toBe(true)

    const wanted = { name: 'OpenAI', kind: 'openai', apiKey: KEY, baseUrl: vendor.url }
    const provider = await call<ModelProvider>('POST', PROVIDERS, { ...wanted, allowsPrivateAddress: true })
    const url = `${MODELS}/${before?.id}`
    expect(await call('PATCH', url, { providerId: provider.id })).toMatchObject({
      ...{
        alias: 'openai',
        label: 'GPT-4o',
        modelId: expect.stringMatching(/^gpt-/),
        providerId: provider.id,
      },
      ...{ configured: true, isFromEnvironment: false },
    })
    expect(await isSandbox()).toBe(false)
    vendor.reply({ text: 'ok' })
    expect(await call('POST', `${MODELS}/openai/test`)).toMatchObject({ ok: true })
    expect(vendor.journal[0]?.headers.authorization).toBe(`Bearer ${KEY}`)

    await call('DELETE', url)
    await call('DELETE', `${PROVIDERS}/${provider.id}`)
    expect(await find()).toEqual(before)
    expect(await isSandbox()).toBe(true)
  })
})
