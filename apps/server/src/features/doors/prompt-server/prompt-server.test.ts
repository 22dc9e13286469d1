import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type PromptServer, startPromptServer } from '../../../testing/prompt-server.ts'

describe.each(routeDatabaseKinds)('the prompt server, on %s', (kind) => {
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
  const statusOf = async (name: string, token: string) => (await server.fetchPrompt(name, token)).status

  test('a prompt is served as Langfuse documents it, with what was found in the headers', async () => {
    const tag = await server.createTag(server.owner, 'letters')
    const { id, slug, token } = await serve('Hello $<customer>.', { tagIds: [tag.id] })
    await server.saveText(id, 'Dear $<customer>!', { note: 'Warmer' })
    await server.moveLabel(id, 'staging', 2)
    const reply = await server.fetchPrompt(`${slug}?label=staging`, token)
    expect(reply.status).toBe(200)
    expect(await reply.json()).toEqual({
      ...{ name: slug, version: 2, type: 'text', prompt: 'Dear {{customer}}!', config: {} },
      ...{ labels: ['staging', 'latest'], tags: ['letters'], commitMessage: 'Warmer', resolutionGraph: null },
    })
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      ...{ 'x-prompt-version': '2', 'x-prompt-label': 'staging', 'cache-control': 'private, no-cache' },
    })
  })

  test('Without label and version the prompt server gives production, else the newest. A removed label is 404 at once.', async () => {
    const { id, slug, token } = await serve('one')
    await server.saveText(id, 'two')
    const newest = await server.fetchPrompt(slug, token)
    expect([newest.headers.get('x-prompt-label'), await newest.json()]).toMatchObject([
      'latest',
      { prompt: 'two' },
    ])
    await server.moveLabel(id, 'production', 1)
    const live = await server.fetchPrompt(slug, token)
    expect([live.headers.get('x-prompt-label'), await live.json()]).toMatchObject([
      'production',
      { prompt: 'one' },
    ])
    expect(await textOf(`${slug}?label=latest`, token)).toBe('two')
    const numbered = await server.fetchPrompt(`${slug}?version=2`, token)
    expect([numbered.headers.get('x-prompt-label'), await numbered.json()]).toMatchObject([
      null,
      { version: 2 },
    ])
  })

  test('GET /api/public/v2/prompts/{name} answers in Langfuse’s form, by slug, former slug, id or alias. Of several prompts of one name the creator’s own answers, then what was shared or accepted, then the oldest public one.', async () => {
    const { id, slug, token } = await serve('named')
    await server.saveText(id, 'named', { slug: 'another-name' })
    const alias = `pmpt_${'68a1b2c3'.repeat(3)}`
    const give = { method: 'PUT', url: `/api/prompts/${id}/aliases/${alias}`, as: server.owner } as const
    expect((await server.request(give)).body).toMatchObject([{ alias }])
    for (const name of [slug, 'another-name', `${id}`, alias]) expect(await textOf(name, token)).toBe('named')
    expect((await server.request({ ...give, method: 'DELETE' })).body).toEqual([])
    expect(await statusOf(alias, token)).toBe(404)
  })

  test('A label that read tokens fetch can be removed all the same: it is 404 at once.', async () => {
    const { id, slug, token } = await serve('one')
    await server.saveText(id, 'two')
    await server.moveLabel(id, 'production', 1)
    const name = `${slug}?label=production`
    expect(await textOf(name, token)).toBe('one')
    await server.moveLabel(id, 'production', 2, 1)
    expect(await textOf(name, token)).toBe('two')
    const asking = { url: `/api/prompts/${id}/labels/production/dependants`, as: server.owner }
    expect((await server.request(asking)).body).toMatchObject({
      chains: [],
      readTokens: [{ name: 'Billing' }],
    })
    const share = { url: `/api/prompts/${id}/shares`, method: 'PUT', as: server.owner } as const
    await server.request({ ...share, body: [{ username: server.other.user.username, role: 'viewer' }] })
    expect((await server.request({ ...asking, as: server.other })).body).toMatchObject({ readTokens: [] })
    await server.removeLabel(id, 'production', 2)
    const reply = await server.fetchPrompt(name, token)
    expect([reply.status, await reply.json()]).toEqual([
      404,
      { error: 'LangfuseNotFoundError', message: `Prompt not found: '${slug}' with label 'production'` },
    ])
    expect(
      (
        await server.request({
          url: `/api/prompts/${id}/labels/3`,
          method: 'PUT',
          as: server.owner,
          body: { version: 1, expectedVersion: null },
        })
      ).status,
    ).toBe(400)
  })

  test('`$<x>` leaves as `{{x}}`, and the library’s own variables are filled in unless resolve=false.', async () => {
    await server.createVariable(server.owner, { name: 'house', content: 'Catenary, $<customer>' })
    await server.createVariable(server.other, { name: 'hidden', content: 'secret' })
    const { slug, token } = await serve('$<house> to $<customer>, $<hidden>, {{kept}}')
    expect(await textOf(slug, token)).toBe('Catenary, $<customer> to {{customer}}, {{hidden}}, {{kept}}')
    expect(await textOf(`${slug}?resolve=false`, token)).toBe(
      '{{house}} to {{customer}}, {{hidden}}, {{kept}}',
    )
  })

  test('The prompt server answers ETag with 304, X-Prompt-Version and X-Prompt-Label.', async () => {
    const { id, slug, token } = await serve('one')
    const first = await server.fetchPrompt(slug, token)
    const etag = first.headers.get('etag') ?? ''
    const again = await server.fetchPrompt(slug, token, { 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('x-prompt-version')]).toEqual([304, '', '1'])
    await server.saveText(id, 'two')
    const other = await server.fetchPrompt(slug, token, { 'if-none-match': etag })
    expect([other.status, other.headers.get('etag') === etag]).toEqual([200, false])
  })

  test('the list has what the token reaches, filtered and in pages', async () => {
    const tag = await server.createTag(server.owner, 'mail')
    const one = await server.createPrompt(server.owner, { title: 'List one', tagIds: [tag.id] })
    const two = await server.createPrompt(server.owner, { title: 'List two' })
    await server.saveText(two.id, 'another', { title: 'List two' })
    await server.moveLabel(two.id, 'production', 1)
    const { token } = await server.createReadToken([one.id, two.id])
    const list = async (query: string) => (await server.listPrompts(query, token)).json()
    expect(await list('limit=1&page=2')).toEqual({
      data: [
        {
          ...{ name: two.slug, type: 'text', versions: [1, 2], labels: ['production'], tags: [] },
          ...{ lastUpdatedAt: expect.any(String), lastConfig: {} },
        },
      ],
      meta: { page: 2, limit: 1, totalItems: 2, totalPages: 2 },
    })
    expect(await list('label=production')).toMatchObject({ data: [{ name: two.slug }] })
    expect(await list('tag=mail')).toMatchObject({ data: [{ name: one.slug }] })
    expect(await list(`name=${one.slug}`)).toMatchObject({ data: [{ name: one.slug }] })
    expect(await list('fromUpdatedAt=2100-01-01T00:00:00Z')).toMatchObject({ data: [] })
    expect(await list('toUpdatedAt=2100-01-01T00:00:00Z')).toMatchObject({ meta: { totalItems: 2 } })
  })

  test('an impossible request is refused by Langfuse’s name for it', async () => {
    const { slug, token } = await serve()
    for (const query of ['label=a&version=1', 'version=x', 'resolve=perhaps', `label=${'l'.repeat(37)}`]) {
      const reply = await server.fetchPrompt(`${slug}?${query}`, token)
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'InvalidRequestError' }])
    }
    expect((await server.listPrompts('page=0', token)).status).toBe(400)
    expect(await statusOf(encodeURIComponent('team/name'), token)).toBe(404)
    const nowhere = await server.fetchPrompt('team/name', token)
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { error: 'LangfuseNotFoundError' }])
  })

  describe('who may fetch', () => {
    test('In Basic authentication the token is the password.', async () => {
      const { slug, token } = await serve()
      const knock = async (authorization: string) =>
        (await server.fetchPrompt(slug, '', { authorization })).status
      const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
      expect(await knock(`Bearer ${token}`)).toBe(200)
      expect(await knock(basic(`:${token}`))).toBe(200)
      for (const bad of ['', basic(`${token}:`), basic(token), `Bearer ${token.slice(0, -1)}`, 'Basic %%%']) {
        expect(await knock(bad)).toBe(401)
      }
      const cookie = await server.fetchPrompt(slug, '', { ...server.owner.headers, authorization: '' })
      expect([cookie.status, await cookie.json()]).toMatchObject([401, { error: 'UnauthorizedError' }])
    })

    test('tokens of chains are refused here, and read tokens at the doors of chains', async () => {
      const { slug, token } = await serve()
      const { value } = await server.serve()
      const { token: best } = await server.createBestToken()
      expect([await statusOf(slug, value), await statusOf(slug, best)]).toEqual([403, 403])
      const hello = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }
      const doors = [
        await server.post('/v1/messages', token, { ...hello, max_tokens: 5 }),
        await server.post('/v1/chat/completions', token, hello),
        await server.post('/v1/route', token, hello),
        await server.post('/v1/messages/count_tokens', token, hello),
        await server.get('/v1/models', token),
      ]
      expect(doors.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
      expect((await server.get('/api/prompts?ownership=mine', token)).status).toBe(200)
      expect((await server.get('/api/read-tokens', token)).status).toBe(401)
    })

    test('the read token of another prompt finds nothing, by whatever name', async () => {
      const { id, slug } = await serve()
      const { token } = await serve()
      expect([await statusOf(slug, token), await statusOf(`${id}`, token)]).toEqual([404, 404])
    })

    test('Another prompt’s token, an expired, rotated or deleted one, a disabled account, another kind of token and a viewer each get what they may.', async () => {
      const { slug, token, tokenId } = await serve()
      const change = (method: 'PATCH' | 'DELETE' | 'POST', url: string, body?: object) =>
        server.request({ method, url, as: server.owner, body })
      await change('PATCH', `/api/read-tokens/${tokenId}`, { expiresAt: '2020-01-01T00:00:00.000Z' })
      expect(await statusOf(slug, token)).toBe(401)
      await change('PATCH', `/api/read-tokens/${tokenId}`, { expiresAt: null })
      const rotate = async (body: object) =>
        ((await change('POST', `/api/tokens/${tokenId}/rotate`, body)).body as { token: string }).token
      const second = await rotate({ overlapMinutes: 5 })
      expect([await statusOf(slug, token), await statusOf(slug, second)]).toEqual([200, 200])
      const third = await rotate({})
      expect([await statusOf(slug, second), await statusOf(slug, third)]).toEqual([401, 200])
      await change('DELETE', `/api/read-tokens/${tokenId}`)
      expect(await statusOf(slug, third)).toBe(401)

      const person = await server.registerUser()
      const prompt = await server.createPrompt(person)
      const own = await server.createReadToken([prompt.id], {}, person)
      expect(await statusOf(prompt.slug, own.token)).toBe(200)
      await server.db.update(users).set({ banned: true }).where(eq(users.id, person.user.id))
      expect(await statusOf(prompt.slug, own.token)).toBe(401)
    })

    test('what its creator may not see any more is not found; a viewer reads the current version and labelled ones', async () => {
      const { id, slug } = await serve('one')
      await server.saveText(id, 'two', { isPublic: true })
      await server.saveText(id, 'three', { isPublic: true })
      const { token } = await server.createReadToken([id], {}, server.other)
      const statuses = async () => [
        ...[await statusOf(`${slug}?version=1`, token), await statusOf(`${slug}?version=2`, token)],
        await statusOf(`${slug}?version=3`, token),
      ]
      expect(await statuses()).toEqual([404, 404, 200])
      await server.moveLabel(id, 'staging', 2)
      expect(await statuses()).toEqual([404, 200, 200])
      await server.saveText(id, 'three', { isPublic: false })
      expect(await statuses()).toEqual([404, 404, 404])
    })

    test('requests a minute: 429 in Langfuse’s form, with the time to wait; the last error is kept', async () => {
      const { id } = await serve()
      const { token, id: tokenId } = await server.createReadToken([id], { requestsPerMinute: 1 })
      expect(await statusOf(`${id}`, token)).toBe(200)
      const reply = await server.fetchPrompt(`${id}`, token)
      expect([reply.status, await reply.json()]).toMatchObject([429, { error: 'TooManyRequestsError' }])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      const { body } = await server.request({ url: '/api/read-tokens', as: server.owner })
      const shown = (body as { id: number }[]).find((each) => each.id === tokenId)
      expect(shown).toMatchObject({
        calls: 1,
        lastError: { code: 'token_rate' },
        lastUsed: expect.any(String),
      })
    })
  })
})
