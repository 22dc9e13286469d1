import type { ProviderModels } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { MODELS, PROVIDERS, type RegistryLibrary, startRegistryLibrary } from '../../testing/registry.ts'

const KEY = 'sk-canary-provider-key-1a2b'
const NEW_KEY = 'sk-canary-provider-key-9z8y'

describe.each(routeDatabaseKinds)('providers and their keys on %s', (kind) => {
  let library: RegistryLibrary
  beforeAll(async () => {
    library = await startRegistryLibrary(kind)
  })
  afterAll(() => library.close())
  afterEach(() => library.resetProviders())

  test('A key is sealed when it is saved. No reply and no row of the activity has more than its last four characters.', async () => {
    const { id } = await library.addProvider({ apiKey: KEY })
    const model = await library.addModel({}, { id })
    const changed = await library.send('PATCH', `${PROVIDERS}/${id}`, { apiKey: NEW_KEY })
    const { rows } = await library.client.pool.query(
      'select api_key, new_api_key from model_providers where id = $1',
      [id],
    )
    expect(rows).toEqual([
      { api_key: expect.stringMatching(/^v2\./), new_api_key: expect.stringMatching(/^v2\./) },
    ])
    library.fake.replyByDefault({ status: 400, message: `Your key is ${KEY}` })
    const replies = [
      changed,
      await library.send('POST', `${MODELS}/${model.id}/test`),
      await library.send('POST', `${PROVIDERS}/${id}/list-models`),
      await library.send('POST', `${PROVIDERS}/${id}/replace-key`, {}),
      ...(await Promise.all(
        [PROVIDERS, MODELS, '/api/instance', `${MODELS}/${model.id}/usage`].map((url) =>
          library.request({ url, as: library.admin }),
        ),
      )),
      await library.run(model.alias),
    ]
    const rowsOfActivity = await library.db.select().from(activity)
    const all = replies.map(({ text }) => text).join('') + JSON.stringify(rowsOfActivity)
    expect(all).not.toContain(KEY.slice(3))
    expect(all).not.toContain(NEW_KEY.slice(3))
    expect(rowsOfActivity.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['model_provider.added', 'model_provider.changed', 'model.added']),
    )
  })

  test('A new key waits beside the other until the provider took it, or an admin confirms it; then the other is gone.', async () => {
    const { id } = await library.addProvider({ apiKey: KEY, baseUrl: library.address })
    const url = `${PROVIDERS}/${id}`
    expect(await library.need('PATCH', url, { apiKey: NEW_KEY })).toMatchObject({
      keyEnd: '1a2b',
      newKeyEnd: '9z8y',
    })
    library.answerLists({ status: 401, body: '{}' })
    expect(await library.need('POST', `${url}/replace-key`, {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/was refused \(401\)/),
      provider: { keyEnd: '1a2b', newKeyEnd: '9z8y' },
    })
    library.answerLists({ status: 200, body: '{"data": []}' })
    expect(await library.need('POST', `${url}/replace-key`, {})).toMatchObject({
      ok: true,
      provider: { keyEnd: '9z8y', newKeyEnd: null },
    })
    expect(library.asked.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${NEW_KEY}`,
      `Bearer ${NEW_KEY}`,
    ])
    expect((await library.send('POST', `${url}/replace-key`, {})).status).toBe(409)
    await library.need('PATCH', url, { apiKey: KEY })
    library.answerLists({ status: 500, body: '' })
    expect(await library.need('POST', `${url}/replace-key`, { isConfirmed: true })).toMatchObject({
      ok: true,
      provider: { keyEnd: '1a2b', newKeyEnd: null },
    })
  })

  test('Another origin of an address takes its keys away.', async () => {
    const { id } = await library.addProvider({ apiKey: KEY, baseUrl: library.address })
    const url = `${PROVIDERS}/${id}`
    expect(await library.need('PATCH', url, { baseUrl: `${library.address}/more` })).toMatchObject({
      keyEnd: '1a2b',
    })
    expect(await library.need('PATCH', url, { baseUrl: library.fake.url })).toMatchObject({ keyEnd: null })
    await library.need('POST', `${url}/list-models`)
    expect(library.asked).toEqual([])
  })

  test('Addresses on this machine or network need a tick; link-local ones are refused always.', async () => {
    const given = { name: 'Own', kind: 'compatible' }
    for (const host of [
      '127.0.0.1',
      'localhost',
      '10.0.4.20',
      '[::1]',
      '[fd00::1]',
      '192.168.1.2',
      '[::ffff:10.0.0.1]',
    ]) {
      const refused = await library.send('POST', PROVIDERS, { ...given, baseUrl: `http://${host}:11434/v1` })
      expect([host, refused.status, refused.body]).toMatchObject([
        host,
        400,
        { details: [{ path: 'baseUrl', message: expect.stringMatching(/must allow/) }] },
      ])
    }
    for (const host of [
      '169.254.169.254',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '0.0.0.0',
      '100.100.100.200',
    ]) {
      const body = { ...given, baseUrl: `http://${host}/v1`, allowsPrivateAddress: true }
      const refused = await library.send('POST', PROVIDERS, body)
      expect([host, refused.status, refused.body]).toMatchObject([
        host,
        400,
        { details: [{ path: 'baseUrl', message: expect.stringMatching(/never called/) }] },
      ])
    }
    const { id } = await library.addProvider({ baseUrl: library.address })
    const refused = await library.send('PATCH', `${PROVIDERS}/${id}`, { allowsPrivateAddress: false })
    expect(refused.status).toBe(400)
  })

  test('The address that is connected to is checked again.', async () => {
    const { id } = await library.addProvider({ baseUrl: library.address })
    const model = await library.addModel({}, { id })
    // As a name that leads elsewhere than when it was saved.
    await library.client.pool.query(
      'update model_providers set allows_private_address = false where id = $1',
      [id],
    )
    const test = await library.need('POST', `${MODELS}/${model.id}/test`)
    expect(test).toMatchObject({
      ok: false,
      error: expect.stringMatching(/is not allowed: it is on this machine/),
    })
    expect(await library.need('POST', `${PROVIDERS}/${id}/list-models`)).toMatchObject({
      ok: false,
      models: [],
    })
    expect(library.asked).toEqual([])
  })

  test('Of the models that a provider lists, context, price and abilities are told where they are known.', async () => {
    const body = { kind: 'openai', baseUrl: library.address, allowsPrivateAddress: true }
    library.answerLists({
      status: 200,
      body: JSON.stringify({ data: [{ id: 'gpt-4.1' }, { id: 'gpt-6-luna' }, { id: 'whisper-1' }] }),
    })
    const { known } = await library.need<ProviderModels>('POST', `${PROVIDERS}/list-models`, body)
    expect(known).toMatchObject([
      {
        ...{ modelId: 'gpt-4.1', contextTokens: 1_047_576, price: { input: 2, output: 8, cached: 0.5 } },
        capabilities: { images: true, effort: false },
      },
      { modelId: 'gpt-6-luna', contextTokens: null, capabilities: { effort: true } },
    ])
    expect(known).toHaveLength(2)
  })

  test('A provider is asked which models it has; the reply names the address asked, a redirect is not followed, and a failure shows nothing of the reply’s text (D72).', async () => {
    const { id } = await library.addProvider({ baseUrl: library.address, apiKey: KEY })
    const url = `${PROVIDERS}/${id}/list-models`
    expect(await library.need('POST', url)).toEqual({
      ...{ ok: true, models: ['a-model', 'b-model'], known: [], error: null },
      address: `${library.address}/models`,
    })
    expect(library.asked).toEqual([{ path: '/v1/models', authorization: `Bearer ${KEY}` }])
    const secret = 'secret-of-another-service'
    for (const answer of [
      { status: 302, body: secret, headers: { location: `${library.address}/elsewhere` } },
      { status: 500, body: secret },
      { status: 200, body: `<p>${secret}</p>` },
      { status: 200, body: `{"data": "${secret}"}` },
    ]) {
      library.asked.length = 0
      library.answerLists(answer)
      const reply = await library.send('POST', url)
      expect(reply.body).toMatchObject({ ok: false, models: [], error: expect.any(String) })
      expect(reply.text).not.toContain(secret)
      expect(library.asked).toHaveLength(1)
    }
    library.answerLists({ status: 200, body: JSON.stringify({ data: [{ id: 'unsaved' }] }) })
    const body = { kind: 'compatible', baseUrl: library.address, allowsPrivateAddress: true }
    expect(await library.need('POST', `${PROVIDERS}/list-models`, body)).toMatchObject({
      models: ['unsaved'],
    })
    // As a deployment of Azure has it, pasted whole.
    library.asked.length = 0
    const deployment = `${new URL(library.address).origin}/openai/deployments/d`
    const pasted = { ...body, baseUrl: `${deployment}/chat/completions?api-version=1` }
    expect(await library.need('POST', `${PROVIDERS}/list-models`, pasted)).toMatchObject({
      ok: true,
      address: `${deployment}/models?api-version=1`,
    })
    expect(library.asked).toMatchObject([{ path: '/openai/deployments/d/models?api-version=1' }])
  })
})
