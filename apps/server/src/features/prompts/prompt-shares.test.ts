import type { Category, ListedPrompt, Prompt, Variable, VariableUsage } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { promptBody } from '../../testing/library.ts'

const TOTAL_COUNT = 'x-total-count'

describe.each(routeDatabaseKinds)('prompts that are shared with named people on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())

  const list = async (as: TestUser | undefined, query: Record<string, string> = {}) => {
    const reply = await library.request({ url: `/api/prompts?${new URLSearchParams(query)}`, as })
    expect(reply.status, reply.text).toBe(200)
    const prompts = reply.body as ListedPrompt[]
    const { etag, [TOTAL_COUNT]: total } = reply.headers
    return { prompts, titles: prompts.map(({ title }) => title), total, tag: String(etag) }
  }
  const share = (id: number, role?: 'viewer' | 'editor') =>
    library.request({
      method: 'PUT',
      url: `/api/prompts/${id}/shares`,
      body: role ? [{ username: 'Oskar', role }] : [],
      as: library.owner,
    })
  const level = (id: number, sharedLevel: string, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/prompts/${id}/share`, body: { sharedLevel }, as })
  const read = (id: number, as: TestUser) => library.request({ url: `/api/prompts/${id}`, as })

  test('are in the lists, searches and counts of people they are shared with, while they are shared', async () => {
    const { owner, other, admin } = library
    const { id: categoryId } = (
      await library.request({ method: 'POST', url: '/api/categories', body: { name: 'Shared' }, as: owner })
    ).body as Category
    const { id } = await library.createPrompt(owner, { title: 'By name', content: 'xylophone', categoryId })
    const seen = async (as: TestUser | undefined) => {
      const categories = (await library.request({ url: '/api/categories', as })).body as Category[]
      return [
        (await list(as, { categoryId: `${categoryId}` })).titles.length,
        (await list(as, { categoryId: `${categoryId}` })).total,
        (await list(as, { search: 'XYLO' })).titles.length,
        (await list(as, { search: 'by n', searchIn: 'title' })).titles.length,
        categories.find((category) => category.id === categoryId)?.count,
      ]
    }
    const all = [1, '1', 1, 1, 1]
    const none = [0, '0', 0, 0, 0]
    expect([await seen(owner), await seen(other)]).toEqual([all, none])
    await share(id, 'viewer')
    expect(await seen(other)).toEqual(all)
    for (const as of [admin, undefined]) expect(await seen(as)).toEqual(none)
    // Public too, it comes once.
    await level(id, 'public')
    expect([await seen(other), await seen(admin)]).toEqual([all, all])
    await level(id, 'private')
    expect([await seen(other), await seen(admin)]).toEqual([all, none])
    await share(id)
    expect([await seen(owner), await seen(other)]).toEqual([all, none])
  })

  test('each change of them changes the list of people they are shared with, and nobody else’s', async () => {
    const { owner, other, admin } = library
    const { id } = await library.createPrompt(owner)
    const before = (await list(admin)).tag
    const seen = new Set([(await list(other)).tag])
    const changes: [string, () => Promise<unknown>][] = [
      ['shared', () => share(id, 'viewer')],
      ['another role', () => share(id, 'editor')],
      [
        'switched off',
        () => library.request({ method: 'PATCH', url: `/api/prompts/${id}/toggle`, as: owner }),
      ],
      ['not shared', () => share(id)],
    ]
    const shown = new Set([(await list(owner)).tag])
    for (const [name, change] of changes) {
      await change()
      const [forOther, forOwner] = [(await list(other)).tag, (await list(owner)).tag]
      if (name !== 'not shared') expect(seen, name).not.toContain(forOther)
      expect(shown, name).not.toContain(forOwner)
      seen.add(forOther)
      shown.add(forOwner)
    }
    expect((await list(admin)).tag).toBe(before)
  })

  test('The share call after each save leaves the list of people alone; an editor repeats the level as it is.', async () => {
    const { owner, other } = library
    const { id } = await library.createPrompt(owner)
    await share(id, 'editor')
    const put = (fields: object) =>
      library.request({
        method: 'PUT',
        url: `/api/prompts/${id}`,
        body: { ...promptBody(library), title: 'Edited', ...fields },
        as: other,
      })
    const saved = await put({ isPublic: false })
    expect(saved.body).toMatchObject({ title: 'Edited', isShared: true, canEdit: true, canDelete: false })
    expect((await level(id, 'private', other)).body).toMatchObject({ isPublic: false, isShared: true })
    const error = 'Only the owner may change who sees this prompt'
    for (const reply of [await level(id, 'public', other), await put({ isPublic: true })])
      expect([reply.status, reply.body]).toEqual([403, { error }])
    await level(id, 'public')
    await level(id, 'private')
    expect((await read(id, other)).body).toMatchObject({ isShared: true, canEdit: true })
    const versions = await library.request({ url: `/api/prompts/${id}/versions`, as: other })
    expect(versions.body).toMatchObject([
      { number: 2, author: 'Oskar' },
      { number: 1, author: 'Olga' },
    ])
  })

  test('Taking back a share acts before its reply is sent.', async () => {
    const { owner, other } = library
    const prompt = await library.createPrompt(owner, { title: 'Current', content: 'The current text' })
    const run = () =>
      library.request({
        method: 'POST',
        url: '/api/execute-prompt',
        body: { promptId: prompt.id, model: 'openai' },
        as: other,
      })
    const chain = await library.createChain(owner, { sharedLevel: 'public' })
    await library.createStep(owner, chain.id, { promptId: prompt.id, content: 'The copy' })
    const chainText = async () => {
      const id = await library.execute(chain.id, undefined, other)
      await library.ended(id, other)
      return library.sent().at(-1) === 'The current text'
    }
    const access = async () => [
      (await read(prompt.id, other)).status,
      (await run()).status,
      await chainText(),
    ]
    expect(await access()).toEqual([404, 404, false])
    await share(prompt.id, 'viewer')
    expect(await access()).toEqual([200, 200, true])
    await share(prompt.id)
    expect(await access()).toEqual([404, 404, false])
  })

  test('are named as uses of a variable to people who see them', async () => {
    const { owner, other } = library
    const { id } = await library.createPrompt(owner, { title: 'Refers', content: '$<shared_place>' })
    const variable = await library.createVariable(other, { name: 'shared_place' })
    const places = async () =>
      (
        (await library.request({ url: `/api/variables/${(variable as Variable).id}/usage`, as: other }))
          .body as VariableUsage
      ).prompts
    expect(await places()).toEqual([])
    await share(id, 'viewer')
    expect(await places()).toEqual([{ id, title: 'Refers', canEdit: false }])
    await share(id, 'editor')
    expect(await places()).toEqual([{ id, title: 'Refers', canEdit: true }])
  })

  test('A list says whose its prompts are, and shows all, one’s own, or those shared with one. Address, pages and counts follow the choice.', async () => {
    const reader = await library.registerUser({ username: 'Rita' })
    const { owner } = library
    await library.createPrompt(reader, { title: 'own private' })
    await library.createPrompt(reader, { title: 'own public', isPublic: true })
    for (const isPublic of [false, true]) {
      const title = isPublic ? 'shared public' : 'shared private'
      const { id } = await library.createPrompt(owner, { title, isPublic })
      const body = [{ username: 'Rita', role: 'viewer' }]
      await library.request({ method: 'PUT', url: `/api/prompts/${id}/shares`, body, as: owner })
    }
    await library.createPrompt(owner, { title: 'public alone', isPublic: true })
    const of = async (ownership: string, query = {}) => {
      const { titles, total } = await list(reader, { ownership, sort: 'title', ...query })
      return [titles.filter((title) => !title.startsWith('Welcome')), total]
    }
    expect(await of('mine')).toEqual([['own private', 'own public'], '2'])
    expect(await of('shared')).toEqual([['shared private', 'shared public'], '2'])
    expect(await of('mine', { limit: '1' })).toEqual([['own private'], '2'])
    expect(await of('shared', { search: 'public' })).toEqual([['shared public'], '1'])
    expect(await of('mine', { search: 'public' })).toEqual([['own public'], '1'])
    expect((await of('all'))[0]).toEqual(
      expect.arrayContaining([
        'own private',
        'own public',
        'public alone',
        'shared private',
        'shared public',
      ]),
    )
    for (const ownership of ['mine', 'shared']) {
      expect(await list(undefined, { ownership })).toMatchObject({ titles: [], total: '0' })
    }
    expect((await library.request({ url: '/api/prompts?ownership=theirs' })).status).toBe(400)
  })

  test('A duplicate has every field of its prompt, and belongs to its maker.', async () => {
    const { owner, other } = library
    const tag = await library.createTag(owner, 'copied')
    const fields = { title: 'x'.repeat(200), isActive: false, tagIds: [tag.id] }
    const { id } = await library.createPrompt(owner, fields)
    await share(id, 'viewer')
    const source = (await read(id, other)).body as Prompt
    const reply = await library.request({ method: 'POST', url: `/api/prompts/${id}/duplicate`, as: other })
    expect(reply.status, reply.text).toBe(201)
    const copy = reply.body as Prompt
    expect(copy).toEqual({
      ...source,
      id: expect.any(Number),
      // Unique among its maker's own.
      slug: source.slug,
      title: `${'x'.repeat(193)} (copy)`,
      isShared: false,
      owner: 'Oskar',
      version: 1,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      canEdit: true,
      canDelete: true,
    })
    const versions = await library.request({ url: `/api/prompts/${copy.id}/versions`, as: other })
    expect(versions.body).toMatchObject([{ number: 1, author: 'Oskar', content: source.content }])
    expect((await read(id, owner)).body).toMatchObject({ isShared: true, version: 1 })
  })

  test('A duplicate counts against the quota.', async () => {
    const { owner, admin } = library
    const full = await library.registerUser({ username: 'Fulla' })
    const { id } = await library.createPrompt(owner, { isPublic: true })
    const url = `/api/admin/users/${full.user.id}/quotas`
    const bound = await library.request({ method: 'PATCH', url, body: { prompts: 1 }, as: admin })
    expect(bound.status, bound.text).toBeLessThan(300)
    const duplicate = () => library.request({ method: 'POST', url: `/api/prompts/${id}/duplicate`, as: full })
    expect((await duplicate()).status).toBe(201)
    const refused = await duplicate()
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('prompts')])
    expect((await list(full, { ownership: 'mine' })).total).toBe('1')
  })
})
