import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Category, Prompt } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('the list of prompts on %s', (kind) => {
  let library: Library
  let prompt: Prompt
  beforeAll(async () => {
    library = await startLibrary(kind)
    prompt = await library.createPrompt(library.owner, { isPublic: true })
  })
  afterAll(() => library.close())

  const ask = (as?: TestUser, tag?: string) =>
    library.request({ url: '/api/prompts', as, ...(tag && { headers: { 'if-none-match': tag } }) })
  const tagFor = async (as?: TestUser) => String((await ask(as)).headers.etag)

  test('is an empty 304 to a caller who has it, and cached by their browser alone', async () => {
    const { owner } = library
    const whole = await ask(owner)
    expect(whole.headers).toMatchObject({ etag: expect.stringMatching(/^W\/".{22}"$/) })
    for (const tag of [String(whole.headers.etag), `"other", ${whole.headers.etag}`]) {
      const again = await ask(owner, tag)
      expect([again.status, again.text]).toEqual([304, ''])
      expect(again.headers).toMatchObject({
        etag: whole.headers.etag,
        'cache-control': 'private, no-cache',
      })
    }
    expect((await ask(owner, '"other"')).status).toBe(200)
  })

  test('differs for each viewer, even if they see the same prompts', async () => {
    const { owner, other, admin } = library
    const tags = await Promise.all([owner, other, admin, undefined].map((as) => tagFor(as)))
    expect(new Set(tags).size).toBe(4)
    await library.db.update(users).set({ role: 'admin' }).where(eq(users.id, other.user.id))
    expect(await tagFor(other)).not.toBe(tags[1])
    await library.db.update(users).set({ role: 'user' }).where(eq(users.id, other.user.id))
    expect(await tagFor(other)).toBe(tags[1])
  })

  test('changes with each change that it shows', async () => {
    const { owner, categoryId } = library
    const url = `/api/prompts/${prompt.id}`
    const send = async (method: 'PUT' | 'PATCH' | 'POST', path: string, body: unknown) => {
      const reply = await library.request({ method, url: path, body, as: owner })
      expect(reply.status, reply.text).toBeLessThan(300)
      return reply.body
    }
    const tag = await library.createTag(owner, 'first')
    const category = (await send('POST', '/api/categories', { name: 'Letters' })) as Category
    const saved = promptBody({ categoryId })
    const changes: [string, () => Promise<unknown>][] = [
      ['toggle', () => send('PATCH', `${url}/toggle`, { isActive: false })],
      ['toggle back', () => send('PATCH', `${url}/toggle`, { isActive: true })],
      ['title', () => send('PUT', url, { ...saved, title: 'Another' })],
      ['category', () => send('PUT', url, { ...saved, categoryId: category.id })],
      ['tags', () => send('PUT', url, { ...saved, tagIds: [tag.id] })],
      ['no tags', () => send('PUT', url, { ...saved, tagIds: [] })],
      ['share', () => send('PATCH', `${url}/share`, { sharedLevel: 'private' })],
      ['share again', () => send('PATCH', `${url}/share`, { sharedLevel: 'public' })],
      ['new tag', () => library.createTag(owner, 'second')],
      ['new prompt', () => library.createPrompt(owner)],
      ['deletion', () => library.request({ method: 'DELETE', url, as: owner })],
    ]
    const seen = new Set([await tagFor(owner)])
    for (const [name, change] of changes) {
      await change()
      const after = await tagFor(owner)
      expect(seen, name).not.toContain(after)
      seen.add(after)
    }
  })

  test('does not change for people who do not see the change', async () => {
    const { owner, other } = library
    const before = await tagFor(other)
    const hidden = await library.createPrompt(owner)
    const url = `/api/prompts/${hidden.id}/toggle`
    await library.request({ method: 'PATCH', url, as: owner })
    expect(await tagFor(other)).toBe(before)
  })

  test('shows the tags by name, in the whole and in a part alike', async () => {
    const { owner } = library
    const tags = await Promise.all(
      ['cherry', 'Apple', 'banana'].map((name) => library.createTag(owner, name)),
    )
    const { id } = await library.createPrompt(owner, {
      title: 'Fruit salad',
      tagIds: tags.map((tag) => tag.id),
    })
    const single = (await library.request({ url: `/api/prompts/${id}`, as: owner })).body as Prompt
    expect(single.tags.map(({ name }) => name)).toEqual(['Apple', 'banana', 'cherry'])
    const { labels: _, othersNames: __, ...fields } = single
    for (const url of ['/api/prompts', '/api/prompts?search=fruit', `/api/prompts?tagIds=${tags[0]?.id}`]) {
      const listed = (await library.request({ url, as: owner })).body as Prompt[]
      expect(listed.find((found) => found.id === id)).toEqual(fields)
    }
  })

  test('is compressed for callers who accept that', async () => {
    for (let n = 0; n < 30; n += 1)
      await library.createPrompt(library.owner, { isPublic: true, content: 'long '.repeat(1000) })
    const get = (headers: Record<string, string>) =>
      library.http.inject({ url: '/api/prompts', headers: { origin: 'https://one.example', ...headers } })
    const plain = await get({})
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const accepted of ['gzip, deflate, br, zstd', 'gzip', 'br;q=0, gzip;q=0.5', 'identity']) {
      const reply = await get({ 'accept-encoding': accepted })
      const encoding = accepted === 'identity' ? undefined : accepted.startsWith('gzip, ') ? 'br' : 'gzip'
      expect(reply.headers['content-encoding'], accepted).toBe(encoding)
      expect(reply.headers.vary).toMatch(/accept-encoding/)
      const bytes = reply.rawPayload
      expect(Number(reply.headers['content-length'])).toBe(bytes.length)
      const decoded = encoding === 'br' ? brotliDecompressSync(bytes) : encoding ? gunzipSync(bytes) : bytes
      expect(decoded.toString()).toBe(plain.body)
    }
  })
})
