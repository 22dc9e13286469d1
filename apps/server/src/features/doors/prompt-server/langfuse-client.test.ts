import { LangfuseClient } from '@langfuse/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type PromptServer, startPromptServer } from '../../../testing/prompt-server.ts'

let server: PromptServer
beforeAll(async () => {
  server = await startPromptServer('embedded')
})
afterAll(() => server.close())

/** The official client, changed in nothing but address and key, and what it asked for. */
function startClient(token: string) {
  // It tells the console of each failure.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const asked = vi.spyOn(globalThis, 'fetch').mockClear()
  const client = new LangfuseClient({ baseUrl: server.address, publicKey: 'pk-any', secretKey: token })
  return { client, fetches: () => asked.mock.calls.length }
}

async function serve(content: string) {
  const { id, slug } = await server.createPrompt(server.owner, { content })
  const { token } = await server.createReadToken([id])
  return { id, slug, ...startClient(token) }
}

test('it gets a prompt and compiles it', async () => {
  const { id, slug, client } = await serve('Hello $<customer>, it is $<day>.')
  const prompt = await client.prompt.get(slug)
  expect(prompt).toMatchObject({
    name: slug,
    version: 1,
    type: 'text',
    labels: ['latest'],
    isFallback: false,
  })
  expect(prompt.compile({ customer: 'Ada', day: 'Monday' })).toBe('Hello Ada, it is Monday.')
  await server.saveText(id, 'Dear $<customer>.')
  const [first, second] = [
    await client.prompt.get(slug, { version: 1 }),
    await client.prompt.get(slug, { label: 'latest' }),
  ]
  expect([first.version, second.compile({ customer: 'Ada' })]).toEqual([1, 'Dear Ada.'])
})

test('The official @langfuse/client works with cache, fallback and compile, also when a label moves.', async () => {
  const { id, slug, client, fetches } = await serve('one')
  await server.saveText(id, 'two')
  await server.moveLabel(id, 'production', 1)
  const get = async () => (await client.prompt.get(slug, { label: 'production', cacheTtlSeconds: 60 })).prompt
  expect([await get(), await get(), fetches()]).toEqual(['one', 'one', 1])
  await server.moveLabel(id, 'production', 2, 1)
  expect([await get(), fetches()]).toEqual(['one', 1])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  try {
    expect(await get()).toBe('one')
    await vi.waitFor(async () => expect(await get()).toBe('two'))
    expect(fetches()).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('it falls back where there is no such label or prompt, and else throws a NotFoundError', async () => {
  const { slug, client } = await serve('one')
  const fallback = 'Hi {{customer}}'
  for (const [name, label] of [
    [slug, 'nowhere'],
    ['team/name', undefined],
  ] as const) {
    const found = await client.prompt.get(name, { ...(label && { label }), fallback })
    expect([found.isFallback, found.compile({ customer: 'Ada' })]).toEqual([true, 'Hi Ada'])
    const missing = client.prompt.get(name, label && { label })
    await expect(missing).rejects.toMatchObject({ statusCode: 404, body: { error: 'LangfuseNotFoundError' } })
  }
})

test('it lists what the token reaches', async () => {
  const { slug, client } = await serve('one')
  expect(await client.api.prompts.list()).toMatchObject({ data: [{ name: slug, versions: [1] }] })
})

test('a key that is none is refused as such', async () => {
  const { client } = startClient('ctr_none')
  await expect(client.prompt.get('any')).rejects.toMatchObject({ statusCode: 401 })
})
