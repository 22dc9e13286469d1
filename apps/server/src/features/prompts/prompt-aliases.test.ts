import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type PromptServer, startPromptServer } from '../../testing/prompt-server.ts'

describe.each(routeDatabaseKinds)('aliases of prompts, on %s', (kind) => {
  let server: PromptServer
  beforeAll(async () => {
    server = await startPromptServer(kind)
  })
  afterAll(() => server.close())

  /** A prompt with a token that reads it. */
  async function serve(content = 'Hello $<customer>.', fields: object = {}) {
    const prompt = await server.createPrompt(server.owner, { content, ...fields })
    const { token, id: tokenId } = await server.createReadToken([prompt.id])
    return { ...prompt, token, tokenId }
  }
  const textOf = async (name: string, token: string) =>
    ((await (await server.fetchPrompt(name, token)).json()) as { prompt?: string }).prompt
  const alias = (id: number, name: string, as = server.owner) =>
    server.request({ method: 'PUT', url: `/api/prompts/${id}/aliases/${encodeURIComponent(name)}`, as })

  test('An owner gives a prompt aliases: any visible text of at most 200 characters, such as `pmpt_…`, but no number or chain’s name.', async () => {
    const { id } = await serve('one', { isPublic: true })
    const { id: another } = await serve()
    expect((await alias(id, 'pmpt_a')).status).toBe(200)
    expect((await alias(id, 'pmpt_a')).body).toHaveLength(1)
    expect((await alias(another, 'pmpt_a')).status).toBe(409)
    expect((await alias(id, 'pmpt_b', server.other)).status).toBe(403)
    expect((await alias(id, 'pmpt_b', server.admin)).status).toBe(403)
    const list = { url: `/api/prompts/${id}/aliases` }
    expect((await server.request({ ...list, as: server.owner })).body).toMatchObject([{ alias: 'pmpt_a' }])
    expect((await server.request({ ...list, as: server.other })).status).toBe(403)
    expect((await server.request(list)).status).toBe(401)
  })

  test.each(['marketing/intro', 'Support Reply', 'Re\u0301sume\u0301 ✓', '100% = $5', 'pmpt_68a1'])(
    'any name from elsewhere is one: %j',
    async (name) => {
      const { id, token } = await serve(`called ${name}`)
      expect((await alias(id, name)).status).toBe(200)
      expect(await textOf(encodeURIComponent(name), token)).toBe(`called ${name}`)
      expect(await textOf(encodeURIComponent(name.normalize('NFC')), token)).toBe(`called ${name}`)
    },
  )

  test.each(['7', 'chain-7', 'claude-chain-intro', ' \u200b', '\u2060', 'a\nb', 'x'.repeat(201)])(
    '%j is none',
    async (name) => {
      const { id } = await serve()
      expect((await alias(id, name)).status).toBe(400)
    },
  )

  test('What others call theirs is free as an alias, and no reply tells of it (D48).', async () => {
    const { id } = await serve()
    await alias(id, 'pmpt_theirs')
    const { slug } = await server.createPrompt(server.owner, { title: 'Hidden title' })
    const mine = await server.createPrompt(server.other)
    const told = async (name: string) => {
      const { status, text } = await alias(mine.id, name, server.other)
      return [
        status,
        JSON.parse(text)
          .map((one: { alias: string }) => one.alias)
          .includes(name),
      ]
    }
    for (const name of ['pmpt_theirs', slug, 'pmpt_nobodys']) expect(await told(name)).toEqual([200, true])
  })

  test('a token’s own prompts come before those of others, as soon as they are called so', async () => {
    const theirs = await server.createPrompt(server.other, { title: 'One for all', content: 'theirs' })
    const { token, id: tokenId } = await shareAndRead(theirs.id)
    expect(await textOf(theirs.slug, token)).toBe('theirs')
    const own = await server.createPrompt(server.owner, { title: 'Mine', content: 'mine' })
    const promptIds = [theirs.id, own.id]
    const url = `/api/read-tokens/${tokenId}`
    expect(
      (await server.request({ method: 'PATCH', url, body: { promptIds }, as: server.owner })).status,
    ).toBe(200)
    expect(await textOf(theirs.slug, token)).toBe('theirs')
    await alias(own.id, theirs.slug)
    expect(await textOf(theirs.slug, token)).toBe('mine')
    const deletion = { method: 'DELETE', url: `/api/prompts/${own.id}/aliases/${theirs.slug}` } as const
    await server.request({ ...deletion, as: server.owner })
    expect(await textOf(theirs.slug, token)).toBe('theirs')
    await server.saveText(own.id, 'mine', { slug: theirs.slug })
    expect(await textOf(theirs.slug, token)).toBe('mine')
  })

  /** A prompt of Oskar's that Olga sees, with her token for it. */
  async function shareAndRead(id: number) {
    const body = [{ username: 'Olga', role: 'viewer' }]
    await server.request({ method: 'PUT', url: `/api/prompts/${id}/shares`, body, as: server.other })
    return server.createReadToken([id])
  }

  test('a prompt has 20 at most', async () => {
    const { id } = await serve()
    const statuses = []
    for (let count = 0; count <= 20; count += 1)
      statuses.push((await alias(id, `pmpt_${id}_${count}`)).status)
    expect(statuses.at(-1)).toBe(409)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]))
  })
})
