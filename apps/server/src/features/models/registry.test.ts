import type {
  Group,
  Instance,
  ManagedModel,
  ModelAccess,
  ModelProvider,
  ModelStatus,
  ModelUse,
} from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import {
  type Method,
  MODELS,
  PROVIDERS,
  type RegistryLibrary,
  startRegistryLibrary,
} from '../../testing/registry.ts'

const KEY = 'sk-canary-provider-key-1a2b'

describe.each(routeDatabaseKinds)('the registry of models on %s', (kind) => {
  let library: RegistryLibrary
  beforeAll(async () => {
    library = await startRegistryLibrary(kind)
  })
  afterAll(() => library.close())
  afterEach(() => library.resetProviders())

  test('Rows of the environment can’t be repointed or removed.', async () => {
    const models = await library.read<ManagedModel[]>(MODELS)
    expect(
      models.slice(0, 3).map(({ alias, label, isFromEnvironment }) => [alias, label, isFromEnvironment]),
    ).toEqual([
      ['claude', 'Claude', true],
      ['openai', 'GPT-4o', true],
      ['gemini', 'Gemini', true],
    ])
    const [claude] = models
    const url = `${MODELS}/${claude?.id}`
    for (const field of [{ label: 'Mine' }, { modelId: 'other' }, { providerId: claude?.providerId }]) {
      expect((await library.send('PATCH', url, field)).status).toBe(400)
    }
    expect((await library.send('DELETE', url)).status).toBe(409)
    const provider = `${PROVIDERS}/${claude?.providerId}`
    expect((await library.send('PATCH', provider, { baseUrl: 'https://evil.example' })).status).toBe(409)
    expect((await library.send('PATCH', provider, { apiKey: KEY })).status).toBe(409)
    expect((await library.send('DELETE', provider)).status).toBe(409)
    const providers = await library.read<ModelProvider[]>(PROVIDERS)
    expect(providers.find(({ keySetting }) => keySetting === 'OPENAI_API_KEY')).toMatchObject({
      name: 'OpenAI',
      isFromEnvironment: true,
      keyEnd: '0c9e',
    })
  })

  test('The environment’s models come first. Beside them admins add providers (Anthropic, OpenAI, Gemini, or any OpenAI-compatible address) and models.', async () => {
    const provider = await library.addProvider({ apiKey: KEY })
    expect(provider).toMatchObject({ keyEnd: '1a2b', newKeyEnd: null, addedBy: library.admin.user.username })
    const { alias } = await library.addModel({ prices: { input: 1_000, output: 0 } }, provider)
    const { models } = await library.read<Instance>('/api/instance', library.owner)
    expect(models.at(-1)).toMatchObject({ alias, configured: true, capabilities: { images: false } })
    const reply = await library.run(alias)
    expect([reply.status, reply.body]).toMatchObject([200, { model: alias, costUsd: 0.011 }])
    expect(library.fake.journal[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(library.fake.journal[0]?.body.model).toBe('llama-3.3-70b')
    const chain = await library.buildChain([{ content: 'one', model: alias }])
    expect(await library.ended(await library.execute(chain.id))).toMatchObject({ status: 'completed' })
    const test = await library.need('POST', `${MODELS}/${alias}/test`)
    expect(test).toMatchObject({ ok: true, error: null })
  })

  test('A model that is added to the environment’s provider uses its key.', async () => {
    const openai = (await library.read<ManagedModel[]>(MODELS)).find(({ alias }) => alias === 'openai')
    const { alias } = await library.addModel({
      alias: 'mini',
      providerId: openai?.providerId,
      modelId: 'gpt-4o-mini',
    })
    expect((await library.run(alias)).status).toBe(200)
    expect(library.fake.journal[0]?.body.model).toBe('gpt-4o-mini')
  })

  test('A price counts from when it is set; earlier runs keep their cost.', async () => {
    const { id, alias } = await library.addModel({ prices: { input: 1_000, output: 0 } })
    const before = (await library.run(alias)).body as { executionId: number }
    await library.need('PATCH', `${MODELS}/${id}`, { prices: { input: 2_000, output: 0 } })
    expect((await library.run(alias)).body).toMatchObject({ costUsd: 0.022 })
    expect(await library.find(before.executionId)).toMatchObject({ costUsd: 0.011 })
    await library.need('PATCH', `${MODELS}/${id}`, { prices: null })
    expect((await library.run(alias)).body).toMatchObject({ costUsd: null })
    const use = await library.read<ModelUse>(`${MODELS}/${id}/usage`)
    expect(use.totalUsd).toBeCloseTo(0.033)
  })

  /** One that everyone could use, and which no longer is for everyone, with a chain that was saved before. */
  const withdrawn = async (step: (alias: string) => object) => {
    const { id, alias } = await library.addModel()
    const chain = await library.buildChain([{ content: 'one', ...step(alias) }])
    await library.need('PATCH', `${MODELS}/${id}`, { isForEveryone: false })
    return { id, alias, chain }
  }

  test('A model may be everyone’s; a person’s own list goes before that, and admins may use all.', async () => {
    const { id, alias, chain } = await withdrawn((model) => ({ model }))
    const aliases = async (as?: TestUser) =>
      ((await library.request({ url: '/api/models', as })).body as ModelStatus[]).map((model) => model.alias)
    const refusal = `You can’t use the model ${alias}. An administrator can allow it.`
    expect(await aliases(library.owner)).not.toContain(alias)
    expect(await aliases()).not.toContain(alias)
    expect(await library.run(alias)).toMatchObject({ status: 403, body: { error: refusal } })
    expect((await library.run(alias, library.admin)).status).toBe(200)
    const start = await library.send('POST', `/api/chains/${chain.id}/execute`, {}, library.owner)
    expect(start).toMatchObject({ status: 403, body: { error: refusal } })

    const list = `/api/admin/model-access/${library.owner.user.id}`
    const access = await library.need<ModelAccess>('PUT', list, { modelIds: [id] })
    expect(access.people).toEqual([
      { userId: library.owner.user.id, username: library.owner.user.username, modelIds: [id] },
    ])
    expect(await aliases(library.owner)).toEqual([alias])
    expect((await library.run(alias)).status).toBe(200)
    expect((await library.run('openai')).status).toBe(403)
    expect((await library.run('openai', library.other)).status).toBe(200)
    expect((await library.send('PUT', list, { modelIds: [2_000_000_000] })).status).toBe(400)
    await library.need('DELETE', list)
    expect(await aliases(library.owner)).toContain('openai')
    expect((await library.run(alias)).status).toBe(403)
  })

  test('Models of groups add up to everyone’s for their members, who lose them as they leave; a person’s own list goes before that.', async () => {
    const { owner, other } = library
    const one = await library.addModel({ isForEveryone: false })
    const two = await library.addModel({ isForEveryone: false })
    const aliases = async (as?: TestUser) =>
      ((await library.request({ url: '/api/models', as })).body as ModelStatus[]).map((model) => model.alias)
    const make = async (name: string, modelIds: number[]): Promise<number> => {
      const body = { name: `${name} ${one.alias}`, members: [owner.user.username] }
      const { id } = await library.need<Group>('POST', '/api/groups', body)
      const access = await library.need<ModelAccess>('PUT', `/api/admin/groups/${id}/models`, { modelIds })
      expect(access.groups).toContainEqual({ groupId: id, name: body.name, modelIds })
      return id
    }
    const first = await make('First', [one.id])
    const second = await make('Second', [two.id])
    await vi.waitFor(async () =>
      expect(await aliases(owner)).toEqual(expect.arrayContaining(['openai', one.alias, two.alias])),
    )
    expect(await aliases(other)).not.toContain(one.alias)
    expect((await library.run(one.alias)).status).toBe(200)
    const list = `/api/admin/model-access/${owner.user.id}`
    await library.need('PUT', list, { modelIds: [two.id] })
    expect(await aliases(owner)).toEqual([two.alias])
    await library.need('DELETE', list)
    await library.need('PUT', `/api/groups/${first}/members`, { usernames: [] })
    await vi.waitFor(async () => expect(await aliases(owner)).not.toContain(one.alias))
    expect((await library.run(one.alias)).status).toBe(403)
    await library.need('DELETE', `/api/admin/groups/${second}/models`)
    expect(await aliases(owner)).not.toContain(two.alias)
    // What everyone’s group is given is no guest’s.
    await library.need('PUT', '/api/admin/groups/1/models', { modelIds: [one.id] })
    expect([(await aliases(other)).includes(one.alias), (await aliases()).includes(one.alias)]).toEqual([
      true,
      false,
    ])
    await library.need('DELETE', '/api/admin/groups/1/models')
    expect((await library.send('PUT', '/api/admin/groups/999999/models', { modelIds: [] })).status).toBe(404)
  })

  test('A model that a person may not use grades no evaluation of theirs.', async () => {
    const { alias } = await library.addModel({ isForEveryone: false })
    const { owner } = library
    const refusal = `You can’t use the model ${alias}. An administrator can allow it.`
    const prompt = await library.createPrompt(owner, { content: 'Hello' })
    const post = (url: string, body: object) => library.send('POST', url, body, owner)
    const suite = await post(`/api/prompts/${prompt.id}/test-suites`, { name: 'Judged' })
    const { id: suiteId } = suite.body as { id: number }
    const judged = { name: 'One', assertions: [{ type: 'llm-rubric', value: 'Is kind' }] }
    expect((await post(`/api/test-suites/${suiteId}/cases`, judged)).status).toBe(201)
    const body = { suiteId, targets: [{ version: 1, model: 'openai' }], judgeModel: alias }
    const estimate = await post('/api/evaluations/estimate', body)
    expect(estimate).toMatchObject({ status: 403, body: { error: refusal } })
    expect(await post('/api/evaluations', { ...body, ceilingUsd: 1 })).toMatchObject({ status: 403 })
    expect((await post('/api/evaluations/estimate', { ...body, judgeModel: 'openai' })).status).toBe(200)
  })

  test('A model that a person may not use is not listed, and saved nowhere where it did not stand before.', async () => {
    const { owner, admin } = library
    const { alias, chain } = await withdrawn((model) => ({ model }))
    const refusal = `You can’t use the model ${alias}. An administrator can allow it.`
    const refused = { status: 403, body: { error: refusal, details: 'model_forbidden' } }
    const prompt = await library.createPrompt(owner, { content: 'Hello' })
    const { id, title, categoryId } = prompt
    const text = { title, content: 'Hello', categoryId }
    const [step] = chain.steps
    const [steps, one] = [`/api/chains/${chain.id}/steps`, `/api/chains/${chain.id}/steps/${step?.id}`]
    const added = { content: 'two', outputVariableName: 'b', position: 1 }
    const saves: [Method, string, object][] = [
      ['POST', '/api/prompts', text],
      ['PUT', `/api/prompts/${id}`, text],
      ['POST', steps, added],
    ]
    for (const fields of [
      { model: alias },
      { model: 'openai', fallbackModel: alias },
      { moreFallbackModels: [alias] },
    ])
      for (const [method, url, body] of saves) {
        const saved = { fallbackModel: 'custom', ...body, ...fields }
        expect(await library.send(method, url, saved, owner), url).toMatchObject(refused)
      }
    expect(await library.send('PATCH', one, { fallbackModel: alias }, owner)).toMatchObject({ status: 400 })
    const edited = await library.send('PATCH', one, { content: 'three', model: alias }, owner)
    expect(edited.status, edited.text).toBe(200)
    expect((await library.send('POST', '/api/prompts', { ...text, model: alias }, admin)).status).toBe(201)
    const files = [{ name: 'hi.md', text: `---\nmodel: ${alias}\n---\nHello` }]
    const tried = await library.send('POST', '/api/import', { files }, owner)
    expect(tried.text).toContain(`${alias} is not set up here`)
  })

  test('A fallback that a person may not use is not asked.', async () => {
    const { chain } = await withdrawn((fallbackModel) => ({ model: 'openai', fallbackModel }))
    library.fake.replyByDefault({ status: 400, message: 'no' })
    const ended = await library.ended(await library.execute(chain.id))
    expect(ended).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/You can’t use the model/),
    })
    expect(library.fake.journal).toHaveLength(1)
  })

  test('No further call of a model is made once its month is spent.', async () => {
    const { id, alias } = await library.addModel({
      prices: { input: 1_000, output: 0 },
      monthlyLimitUsd: 0.02,
    })
    expect([(await library.run(alias)).status, (await library.run(alias)).status]).toEqual([200, 200])
    const refused = await library.run(alias)
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { error: expect.stringMatching(`^The monthly limit of \\$0.020 for the model ${alias} is used up`) },
    ])
    expect(library.fake.journal).toHaveLength(2)
    expect(await library.need('PATCH', `${MODELS}/${id}`, { monthlyLimitUsd: null })).toMatchObject({
      spentUsd: 0.022,
    })
    expect((await library.run(alias)).status).toBe(200)
  })

  test('A model that is switched off or removed fails with a sentence in what still asks for it.', async () => {
    const model = await library.addModel()
    const { id, alias } = model
    const chain = await library.buildChain([
      { content: 'one', model: alias },
      { content: 'two', fallbackModel: alias },
    ])
    const earlier = await library.execute(chain.id)
    await library.ended(earlier)
    expect(await library.read<ModelUse>(`${MODELS}/${id}/usage`)).toMatchObject({
      prompts: 0,
      steps: 2,
      schedules: 0,
    })
    await library.need('PATCH', `${MODELS}/${id}`, { isEnabled: false })
    const off = `The model ${alias} is switched off. An administrator can switch it on.`
    expect(await library.ended(await library.execute(chain.id))).toMatchObject({
      status: 'failed',
      error: off,
    })
    expect((await library.run(alias)).body).toMatchObject({ error: off })
    await library.need('DELETE', `${MODELS}/${id}`)
    expect(await library.ended(await library.execute(chain.id))).toMatchObject({
      status: 'failed',
      error: `There is no model ${alias} in this version of Catenary.`,
    })
    expect((await library.run(alias)).body).toMatchObject({
      error: expect.stringMatching(`^There is no model ${alias}\\.`),
    })
    expect((await library.find(earlier)).steps[0]).toMatchObject({ model: alias, status: 'completed' })
  })

  test('an alias is one model’s, and no slug that is chosen later', async () => {
    const provider = await library.addProvider()
    const { alias } = await library.addModel({}, provider)
    const again = { alias, label: 'Other', providerId: provider.id, modelId: 'x' }
    expect(await library.send('POST', MODELS, again)).toMatchObject({
      status: 409,
      body: { details: [{ path: 'alias' }] },
    })
    for (const reserved of ['chain-7', 'claude-chain-7', 'Upper', '7b', 'openai']) {
      expect(
        (await library.send('POST', MODELS, { ...again, alias: reserved })).status,
      ).toBeGreaterThanOrEqual(400)
    }
    const named = await library.createPrompt(library.owner, { title: alias })
    expect(named.slug).toBe(`the-${alias}`)
    expect(await library.send('DELETE', `${PROVIDERS}/${provider.id}`)).toMatchObject({ status: 409 })
  })

  test('Only admins see, test and change providers, models and lists.', async () => {
    const { id, providerId } = await library.addModel()
    const userId = library.owner.user.id
    const calls: [Method | 'GET', string, object?][] = [
      ['GET', PROVIDERS],
      ['POST', PROVIDERS, { name: 'Mine', kind: 'openai' }],
      ['PATCH', `${PROVIDERS}/${providerId}`, { name: 'Mine' }],
      ['DELETE', `${PROVIDERS}/${providerId}`],
      ['POST', `${PROVIDERS}/${providerId}/list-models`],
      ['POST', `${PROVIDERS}/${providerId}/replace-key`, {}],
      ['POST', `${PROVIDERS}/list-models`, { kind: 'openai' }],
      ['GET', MODELS],
      ['POST', MODELS, { alias: 'mine', label: 'Mine', providerId, modelId: 'x' }],
      ['PATCH', `${MODELS}/${id}`, { label: 'Mine' }],
      ['DELETE', `${MODELS}/${id}`],
      ['GET', `${MODELS}/${id}/usage`],
      ['POST', `${MODELS}/${id}/test`],
      ['GET', '/api/admin/model-access'],
      ['PUT', `/api/admin/model-access/${userId}`, { modelIds: [] }],
      ['DELETE', `/api/admin/model-access/${userId}`],
      ['PUT', '/api/admin/groups/1/models', { modelIds: [] }],
      ['DELETE', '/api/admin/groups/1/models'],
    ]
    for (const [method, url, body] of calls) {
      const statuses = await Promise.all(
        [undefined, library.owner].map(async (as) => {
          const headers: Record<string, string> = as === undefined ? { 'sec-fetch-site': 'same-origin' } : {}
          return (await library.request({ method, url, body, as, headers })).status
        }),
      )
      expect([method, url, ...statuses]).toEqual([method, url, 401, 403])
    }
    expect(await library.read<ManagedModel[]>(MODELS)).toContainEqual(expect.objectContaining({ id }))
  })
})
