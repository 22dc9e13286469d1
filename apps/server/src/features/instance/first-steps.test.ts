import type { Chain, FirstSteps, ListedPrompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../platform/settings/settings.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const NOTHING = { model: false, run: false, chain: false, code: false }

describe.each(routeDatabaseKinds)('first steps on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const find = async (as: TestUser) =>
    (await library.request({ url: '/api/first-steps', as })).body as FirstSteps
  const post = (as: TestUser, url: string, body?: unknown) =>
    library.request({ method: 'POST', url, body, as })
  const run = async (as: TestUser) => {
    const [prompt] = (await library.request({ url: '/api/prompts', as })).body as ListedPrompt[]
    const body = { promptId: prompt?.id, model: 'claude', userInput: '' }
    expect((await post(as, '/api/execute-prompt', body)).status).toBe(200)
  }

  test('need an account', async () => {
    expect((await library.request({ url: '/api/first-steps' })).status).toBe(401)
    expect((await library.request({ method: 'DELETE', url: '/api/first-steps' })).status).toBe(401)
  })

  test('of an administrator begin with a key, or with a run in the sandbox', async () => {
    const admin = await library.registerUser({ role: 'admin' })
    const none = { isOver: false, hasKey: false, promptId: null, chainId: null }
    expect(await find(admin)).toEqual({ ...none, done: NOTHING })
    await post(admin, '/api/examples')
    const { promptId, chainId, done } = await find(admin)
    expect([promptId, chainId, done]).toEqual([expect.any(Number), expect.any(Number), NOTHING])
    await run(admin)
    expect((await find(admin)).done).toEqual({ ...NOTHING, model: true, run: true })
  })

  test('of anyone else leave keys to administrators', async () => {
    const person = await library.registerUser()
    expect((await find(person)).done).toEqual({ ...NOTHING, model: true })
  })

  test('a chain that was run counts, or one of two steps that is no example', async () => {
    const runner = await library.registerUser()
    await post(runner, '/api/examples')
    expect((await find(runner)).done.chain).toBe(false)
    const { chainId } = await find(runner)
    await post(runner, `/api/chains/${chainId}/execute`, {})
    await expect.poll(async () => (await find(runner)).done.chain).toBe(true)

    const builder = await library.registerUser()
    const chain: Chain = await library.createChain(builder)
    await library.createStep(builder, chain.id)
    expect((await find(builder)).done.chain).toBe(false)
    await library.createStep(builder, chain.id)
    expect((await find(builder)).done.chain).toBe(true)
  })

  test('a call with a token counts, even one that fetches a prompt', async () => {
    const person = await library.registerUser()
    await post(person, '/api/examples')
    const { promptId } = await find(person)
    const made = await post(person, '/api/read-tokens', { name: 'Code', promptIds: [promptId] })
    const { token } = made.body as { token: string }
    expect((await find(person)).done.code).toBe(false)
    const { slug } = (await library.request({ url: `/api/prompts/${promptId}`, as: person })).body as {
      slug: string
    }
    const headers = { authorization: `Basic ${Buffer.from(`catenary:${token}`).toString('base64')}` }
    const fetched = await library.request({ url: `/api/public/v2/prompts/${slug}`, headers })
    expect(fetched.status).toBe(200)
    await expect.poll(async () => (await find(person)).done.code).toBe(true)
  })

  test('‘First steps’ know what was done, go away by themselves, and stay away once dismissed.', async () => {
    const person = await library.registerUser()
    const another = await library.registerUser()
    expect((await library.request({ method: 'DELETE', url: '/api/first-steps', as: person })).status).toBe(
      204,
    )
    expect(await find(person)).toMatchObject({ isOver: true })
    expect(await find(another)).toMatchObject({ isOver: false })
  })

  test('with a key the first is done for everyone', async () => {
    const { models } = readSettings({ ANTHROPIC_API_KEY: 'a key' })
    const other = await startLibrary(kind, { settings: { models } })
    try {
      const reply = await other.request({ url: '/api/first-steps', as: other.admin })
      expect(reply.body).toMatchObject({ hasKey: true, done: { ...NOTHING, model: true } })
    } finally {
      await other.close()
    }
  })
})
