import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('reading prompts on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const list = async ({ query = {}, as }: { query?: Record<string, string>; as?: TestUser } = {}) => {
    const url = `/api/prompts?${new URLSearchParams(query)}`
    const reply = await library.request({ url, as })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as Prompt[]
  }
  const titles = async (options: Parameters<typeof list>[0]) =>
    (await list(options)).map(({ title }) => title)

  test('A public prompt is there for everyone, any other for its owner and those it is shared with.', async () => {
    const { owner, other, admin } = library
    const open = await library.createPrompt(owner, { title: 'vis open', isPublic: true })
    const closed = await library.createPrompt(owner, { title: 'vis closed' })
    const query = { search: 'vis ' }
    expect(await titles({ query, as: owner })).toEqual(['vis closed', 'vis open'])
    for (const as of [other, admin, undefined]) {
      expect(await titles({ query, ...(as && { as }) })).toEqual(['vis open'])
      expect((await library.request({ url: `/api/prompts/${open.id}`, as })).status).toBe(200)
      const hidden = await library.request({ url: `/api/prompts/${closed.id}`, as })
      expect([hidden.status, hidden.body]).toEqual([404, { error: 'Prompt not found' }])
    }
  })

  test('the flags say what each viewer may do', async () => {
    const { owner, other, admin } = library
    const { id } = await library.createPrompt(owner, { isPublic: true })
    const flags = async (as?: TestUser) => {
      const { canEdit, canDelete, canExecute } = (await library.request({ url: `/api/prompts/${id}`, as }))
        .body as Prompt
      return { canEdit, canDelete, canExecute }
    }
    expect(await flags(owner)).toEqual({ canEdit: true, canDelete: true, canExecute: true })
    expect(await flags(admin)).toEqual({ canEdit: true, canDelete: true, canExecute: true })
    expect(await flags(other)).toEqual({ canEdit: false, canDelete: false, canExecute: true })
    expect(await flags()).toEqual({ canEdit: false, canDelete: false, canExecute: false })
  })

  test('A prompt’s reply has every field, tags as a list, and the three flags.', async () => {
    const { owner, categoryId } = library
    const tag = await library.createTag(owner, 'field check')
    const created = await library.createPrompt(owner, { tagIds: [tag.id, tag.id] })
    expect(created).toEqual({
      ...promptBody({ categoryId }),
      id: expect.any(Number),
      slug: expect.stringMatching(/^welcome(-[0-9]+)?$/),
      category: 'General',
      isActive: true,
      isPublic: false,
      isShared: false,
      tags: [tag],
      owner: 'Olga',
      version: 1,
      labels: [],
      othersNames: [],
      revision: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: created.createdAt,
      canEdit: true,
      canDelete: true,
      canExecute: true,
    })
    expect((await library.request({ url: `/api/prompts/${created.id}`, as: owner })).body).toEqual(created)
  })

  test('search finds a part of title or content without regard to case, in any script', async () => {
    const { owner } = library
    await library.createPrompt(owner, { title: 'Grüße an ÉLODIE' })
    await library.createPrompt(owner, { title: 'second', content: 'Привет, МИР 👋🏽' })
    const find = (search: string) => titles({ query: { search }, as: owner })
    expect(await find('GRÜSSE')).toEqual(['Grüße an ÉLODIE'])
    expect(await find('grÜße')).toEqual(['Grüße an ÉLODIE'])
    expect(await find('élodie')).toEqual(['Grüße an ÉLODIE'])
    expect(await find('привет, мир')).toEqual(['second'])
    expect(await find('👋🏽')).toEqual(['second'])
  })

  test.each([
    ['100% sure', '0%', '0% '],
    ['snake_case name', 'e_c', 'e_case name'],
    ['back\\slash', 'k\\s', '\\'],
  ])('search takes the wildcards in %s literally', async (title, part, other) => {
    await library.createPrompt(library.owner, { title })
    await library.createPrompt(library.owner, { title: 'snakeXcase 100 back slash' })
    for (const search of [part, other]) {
      expect(await titles({ query: { search }, as: library.owner })).toEqual([title])
    }
  })

  test('GET /api/prompts takes search, categoryId and tagIds; empty ones filter nothing.', async () => {
    const all = (await list({ as: library.owner })).length
    expect(all).toBeGreaterThan(3)
    expect(await list({ query: { search: '  ', tagIds: '' }, as: library.owner })).toHaveLength(all)
  })

  test('Categories and tags sort prompts: a list has those of a category, and of any of the tags.', async () => {
    const { owner, categoryId } = library
    const category = await library.request({
      method: 'POST',
      url: '/api/categories',
      body: { name: 'Filtered' },
      as: owner,
    })
    const { id: filtered } = category.body as { id: number }
    const [one, two, three] = await Promise.all(
      ['any one', 'any two', 'any three'].map((name) => library.createTag(owner, name)),
    )
    const ids = { one: one?.id ?? 0, two: two?.id ?? 0, three: three?.id ?? 0 }
    await library.createPrompt(owner, { title: 'a', tagIds: [ids.one], categoryId: filtered })
    await library.createPrompt(owner, { title: 'b', tagIds: [ids.one, ids.two], categoryId: filtered })
    await library.createPrompt(owner, { title: 'c', tagIds: [ids.three], categoryId })
    const find = (query: Record<string, string>) => titles({ query, as: owner })
    expect(await find({ categoryId: `${filtered}` })).toEqual(['b', 'a'])
    expect(await find({ tagIds: `${ids.one},${ids.two}` })).toEqual(['b', 'a'])
    expect(await find({ tagIds: `${ids.two},${ids.three}` })).toEqual(['c', 'b'])
    expect(await find({ tagIds: `${ids.one},${ids.three}`, categoryId: `${categoryId}` })).toEqual(['c'])
    expect(await find({ categoryId: '2147483647' })).toEqual([])
  })

  test('a prompt keeps fifty tags, listed by name; the list carries them', async () => {
    const { owner } = library
    const tags = []
    for (let n = 50; n > 0; n -= 1) {
      tags.push(await library.createTag(owner, `t${n.toString().padStart(2, '0')}`))
    }
    const tagIds = tags.map(({ id }) => id)
    const prompt = await library.createPrompt(owner, { title: 'fifty', tagIds })
    expect(prompt.tags).toEqual(tags.toReversed())
    const [listed] = await list({ query: { search: 'fifty' }, as: owner })
    const { labels: _, othersNames: __, ...fields } = prompt
    expect(listed).toEqual(fields)
    const body = { ...promptBody(library), tagIds: [...tagIds, 1] }
    expect((await library.request({ method: 'POST', url: '/api/prompts', body, as: owner })).status).toBe(400)
  })

  test('the last saved prompt comes first; a switch flipped moves nothing', async () => {
    const { owner, categoryId } = library
    const first = await library.createPrompt(owner, { title: 'order 1' })
    const second = await library.createPrompt(owner, { title: 'order 2' })
    const query = { search: 'order ' }
    await library.request({ method: 'PATCH', url: `/api/prompts/${first.id}/toggle`, as: owner })
    expect(await titles({ query, as: owner })).toEqual(['order 2', 'order 1'])
    const body = { title: 'order 1', content: 'x', categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${first.id}`, body, as: owner })
    expect(await titles({ query, as: owner })).toEqual(['order 1', 'order 2'])
    expect(second.updatedAt >= first.updatedAt).toBe(true)
  })

  test.each([
    'categoryId=x',
    'categoryId=1e3',
    'categoryId=99999999999',
    'tagIds=1,x',
    'tagIds=1,,-2',
    'tagIds=2147483648',
    'page=2',
    `search=${'x'.repeat(201)}`,
    'search=%00',
  ])('the query %s is refused', async (query) => {
    const reply = await library.request({ url: `/api/prompts?${query}` })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: expect.any(String), details: [expect.anything()] })
  })

  test.each(['0', '-1', '1.5', 'abc', '2147483648', '99999999999999999999'])(
    'the id %s is refused, an unknown one is not found',
    async (id) => {
      expect((await library.request({ url: `/api/prompts/${id}` })).status).toBe(400)
      expect((await library.request({ url: '/api/prompts/2147483647' })).status).toBe(404)
    },
  )
})
