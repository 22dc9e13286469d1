import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

/** Every call that changes a prompt, with a body that would be accepted. */
const writes = [
  { method: 'PUT', path: '', body: { title: 'Taken over', content: 'x', categoryId: 1 } },
  { method: 'PATCH', path: '/share', body: { sharedLevel: 'public' } },
  { method: 'PATCH', path: '/toggle', body: undefined },
  { method: 'POST', path: '/versions/1/restore', body: undefined },
  { method: 'GET', path: '/versions', body: undefined },
  { method: 'DELETE', path: '', body: undefined },
] as const

describe.each(routeDatabaseKinds)('changing prompts on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/prompts/${id}`, as })).body as Prompt
  const put = ({ id, as, ...fields }: { id: number; as?: TestUser } & Record<string, unknown>) =>
    library.request({
      method: 'PUT',
      url: `/api/prompts/${id}`,
      body: { ...promptBody(library), ...fields },
      as,
    })

  describe.each(writes)('$method $path', ({ method, path, body }) => {
    const send = (id: number, as?: TestUser) =>
      library.request({ method, url: `/api/prompts/${id}${path}`, body, as })

    test('asks a guest to log in, whether the prompt exists or not', async () => {
      const { id } = await library.createPrompt(library.owner, { isPublic: true })
      for (const target of [id, 2147483647]) {
        const reply = await send(target)
        expect([reply.status, reply.body]).toEqual([401, { error: 'Please log in' }])
      }
    })

    test('forbids it to a person who only sees the prompt', async () => {
      const prompt = await library.createPrompt(library.owner, { isPublic: true })
      const reply = await send(prompt.id, library.other)
      expect([reply.status, reply.body]).toEqual([403, { error: 'You can’t change this prompt' }])
      expect(await read(prompt.id, library.owner)).toEqual(prompt)
    })

    test('hides a private prompt from other people and from admins', async () => {
      const prompt = await library.createPrompt(library.owner)
      for (const as of [library.other, library.admin]) expect((await send(prompt.id, as)).status).toBe(404)
      expect((await send(2147483647, library.owner)).status).toBe(404)
      expect(await read(prompt.id, library.owner)).toEqual(prompt)
    })

    test('is open to the owner, and to an admin for a public prompt', async () => {
      const own = await library.createPrompt(library.owner)
      const open = await library.createPrompt(library.owner, { isPublic: true })
      expect((await send(own.id, library.owner)).status).toBeLessThan(300)
      expect((await send(open.id, library.admin)).status).toBeLessThan(300)
    })
  })

  test('PUT /api/prompts/{id} changes what it sends, keeps what it leaves out, and moves on the revision.', async () => {
    const { owner, categoryId } = library
    const tag = await library.createTag(owner, 'kept')
    const fields = { isActive: false, isPublic: true, tagIds: [tag.id] }
    const before = await library.createPrompt(owner, fields)
    const saved = await put({ id: before.id, as: owner, title: '  Grüße  ', revision: 1 })
    expect(saved.status).toBe(200)
    const expected = { ...before, title: 'Grüße', revision: 2, version: 2, updatedAt: expect.any(String) }
    expect(saved.body).toEqual(expected)
    expect(await read(before.id, owner)).toEqual(saved.body)
    const emptied = await put({ id: before.id, as: owner, tagIds: [], isActive: true, categoryId })
    expect(emptied.body).toMatchObject({ tags: [], isActive: true, isPublic: true, revision: 3 })
  })

  test('a stale revision is refused with the current prompt; a save without one is accepted', async () => {
    const { owner } = library
    const { id } = await library.createPrompt(owner)
    await put({ id, as: owner, title: 'Second', revision: 1 })
    const stale = await put({ id, as: owner, title: 'Third', revision: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body).toEqual({
      error: 'This prompt was changed since you opened it',
      details: await read(id, owner),
    })
    expect((await read(id, owner)).title).toBe('Second')
    expect((await put({ id, as: owner, title: 'Third' })).status).toBe(200)
  })

  test('of parallel saves of one revision exactly one wins, and only its version is written', async () => {
    const { owner } = library
    const { id } = await library.createPrompt(owner)
    const saves = Array.from({ length: 8 }, (_, n) => put({ id, as: owner, title: `Save ${n}`, revision: 1 }))
    const replies = await Promise.all(saves)
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(await read(id, owner)).toEqual(won[0]?.body)
    const versions = await library.request({ url: `/api/prompts/${id}/versions`, as: owner })
    expect(versions.body).toHaveLength(2)
  })

  test('parallel saves without a revision all happen, one after the other', async () => {
    const { owner } = library
    const { id } = await library.createPrompt(owner)
    const saves = Array.from({ length: 8 }, (_, n) => put({ id, as: owner, title: `Save ${n}` }))
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await read(id, owner)).toMatchObject({ revision: 9, version: 9 })
  })

  test('PATCH /api/prompts/{id}/share sets the sharing level.', async () => {
    const { owner } = library
    const { id } = await library.createPrompt(owner)
    const share = (sharedLevel: string) =>
      library.request({
        method: 'PATCH',
        url: `/api/prompts/${id}/share`,
        body: { sharedLevel },
        as: owner,
      })
    expect((await share('public')).body).toMatchObject({ isPublic: true, revision: 2 })
    expect((await share('public')).body).toMatchObject({ isPublic: true, revision: 2 })
    expect((await share('private')).body).toMatchObject({ isPublic: false, revision: 3 })
    expect((await share('shared')).status).toBe(400)
  })

  test('an admin who makes a foreign prompt private gets the reply, then no longer sees it', async () => {
    const { owner, admin } = library
    const { id } = await library.createPrompt(owner, { isPublic: true })
    const saved = await put({ id, as: admin, isPublic: false })
    expect(saved.body).toMatchObject({ isPublic: false, owner: 'Olga', canEdit: false })
    expect((await put({ id, as: admin })).status).toBe(404)
  })

  test('PATCH /api/prompts/{id}/toggle switches active without a body. Our client sends the wanted state (deliberate).', async () => {
    const { owner } = library
    const { id, updatedAt } = await library.createPrompt(owner)
    const toggle = (body?: unknown) =>
      library.request({ method: 'PATCH', url: `/api/prompts/${id}/toggle`, body, as: owner })
    expect((await toggle()).body).toMatchObject({ isActive: false, revision: 2, updatedAt })
    expect((await toggle({})).body).toMatchObject({ isActive: true, revision: 3, updatedAt })
    expect((await toggle({ isActive: false })).body).toMatchObject({ isActive: false, revision: 4 })
    expect((await toggle({ isActive: false })).body).toMatchObject({ isActive: false, revision: 4 })
    expect((await toggle({ isPublic: true })).status).toBe(400)
    expect(await read(id, owner)).toMatchObject({ isActive: false, isPublic: false, revision: 4 })
  })

  test('parallel toggles without a state each change it over', async () => {
    const { owner } = library
    const { id } = await library.createPrompt(owner)
    const url = `/api/prompts/${id}/toggle`
    await Promise.all(Array.from({ length: 6 }, () => library.request({ method: 'PATCH', url, as: owner })))
    expect(await read(id, owner)).toMatchObject({ isActive: true, revision: 7 })
  })

  test('DELETE /api/prompts/{id} deletes a prompt with its versions.', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'of a deleted one')
    const { id } = await library.createPrompt(owner, { tagIds: [tag.id] })
    const url = `/api/prompts/${id}`
    const deleted = await library.request({ method: 'DELETE', url, as: owner })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const path of ['', '/versions']) {
      expect((await library.request({ url: url + path, as: owner })).status).toBe(404)
    }
    expect((await library.request({ method: 'DELETE', url, as: owner })).status).toBe(404)
  })
})
