import { type Prompt, TAXONOMY_KINDS, type TaxonomyEntry, type TaxonomyKind } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, categories, tags } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary, TAG_PATHS } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('labels on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  let made = 0
  const next = (word: string) => {
    made += 1
    return `${word}_${made}`
  }
  const create = async (label: TaxonomyKind, name = next('Label')): Promise<number> => {
    const url = label === 'category' ? '/api/categories' : TAG_PATHS[label]
    return (await library.createTag(library.owner, name, url)).id
  }
  /** Creates a record of someone's own that has the entry. */
  const use = (label: TaxonomyKind, id: number, as = library.owner) => {
    if (label === 'category') return library.createPrompt(as, { categoryId: id })
    if (label === 'prompt') return library.createPrompt(as, { tagIds: [id] })
    if (label === 'chain') return library.createChain(as, { tagIds: [id] })
    return library.createVariable(as, { name: next('v'), tagIds: [id] })
  }
  const call = (method: 'PATCH' | 'POST' | 'DELETE', path: string, body?: unknown, as?: TestUser) =>
    library.request({ method, url: `/api/admin/labels/${path}`, body, as: as ?? library.admin })
  const list = async (label: TaxonomyKind) =>
    (await library.request({ url: `/api/admin/labels/${label}`, as: library.admin })).body as TaxonomyEntry[]
  const find = async (label: TaxonomyKind, id: number) => (await list(label)).find((one) => one.id === id)

  describe.each(TAXONOMY_KINDS)('of kind %s', (label) => {
    test('Tags and categories of before whose names look the same stay.', async () => {
      const [kept, table] = [next('Café'), label === 'category' ? categories : tags]
      const first = await create(label, kept)
      const named = { name: kept.normalize('NFD'), ...(label === 'category' ? {} : { kind: label }) }
      // As the version before writes it.
      const [second] = await library.db
        .insert(table)
        .values(named as never)
        .returning({ id: table.id })
      const id = second?.id ?? 0
      const { status } = await library.request({
        method: 'POST',
        url: label === 'category' ? '/api/categories' : TAG_PATHS[label],
        body: { name: kept },
        as: library.owner,
      })
      expect(status).toBe(409)
      expect(await find(label, id)).toMatchObject({ sameAs: { id: first, name: kept } })
      expect(await find(label, first)).not.toHaveProperty('sameAs')
      expect((await call('PATCH', `${label}/${id}`, { name: kept })).status).toBe(409)
      expect((await call('PATCH', `${label}/${first}`, { name: next('Other') })).status).toBe(200)
      expect(await find(label, id)).not.toHaveProperty('sameAs')
      expect((await call('PATCH', `${label}/${first}`, { name: kept })).body).toMatchObject({
        details: { id },
      })
    })

    test('Administrators rename categories and tags, wherever they are shown.', async () => {
      const id = await create(label)
      const prompt = label === 'prompt' || label === 'category' ? await use(label, id) : undefined
      const url = '/api/prompts'
      const before = await library.request({ url, as: library.owner })
      const name = `Renamed ${label}`
      const reply = await call('PATCH', `${label}/${id}`, { name: ` ${name} ` })
      expect([reply.status, reply.body]).toEqual([200, { id, name, uses: prompt === undefined ? 0 : 1 }])
      expect(await find(label, id)).toEqual(reply.body)
      if (prompt === undefined) return
      const etag = { 'if-none-match': String(before.headers.etag) }
      const again = await library.request({ url, as: library.owner, headers: etag })
      expect(again.status).toBe(200)
      const shown = (again.body as Prompt[]).find((one) => one.id === prompt.id)
      expect(label === 'category' ? shown?.category : shown?.tags[0]?.name).toBe(name)
      const one = await library.request({ url: `${url}/${prompt.id}`, as: library.owner })
      expect(one.text).toContain(name)
    })

    test('a taken name is a conflict that names the other entry; an entry may change the case of its own', async () => {
      const [id, other] = [await create(label, `Own ${label}`), await create(label, `Taken ${label}`)]
      const reply = await call('PATCH', `${label}/${id}`, { name: `tAKEN ${label}` })
      const noun = label === 'category' ? 'Category' : 'Tag'
      expect([reply.status, reply.body]).toMatchObject([
        409,
        { error: `${noun} exists`, details: { id: other, name: `Taken ${label}` } },
      ])
      expect((await call('PATCH', `${label}/${id}`, { name: `OWN ${label}` })).status).toBe(200)
    })

    test('Administrators merge categories and tags: records that had one have the other, once.', async () => {
      const [id, into] = [await create(label), await create(label)]
      await use(label, id)
      await use(label, id, library.other)
      const used = await use(label, into)
      if (label === 'prompt') {
        const body = { ...promptBody(library), tagIds: [id, into] }
        await library.request({ method: 'PUT', url: `/api/prompts/${used.id}`, body, as: library.owner })
      }
      const reply = await call('POST', `${label}/${id}/merge`, { into })
      expect([reply.status, reply.body]).toMatchObject([200, { id: into, uses: 3 }])
      expect(await find(label, id)).toBeUndefined()
      expect((await call('POST', `${label}/${id}/merge`, { into })).status).toBe(404)
      const refused = await call('POST', `${label}/${into}/merge`, { into })
      expect([refused.status, refused.body]).toMatchObject([400, { details: [{ path: 'into' }] }])
      expect((await call('POST', `${label}/${into}/merge`, { into: id })).status).toBe(400)
    })

    test('Administrators delete tags, and categories without prompts.', async () => {
      const id = await create(label)
      await use(label, id)
      const reply = await call('DELETE', `${label}/${id}`)
      if (label === 'category') {
        const error = 'This category has 1 prompt. Merge it into another one instead.'
        expect([reply.status, reply.body]).toEqual([409, { error }])
        const empty = await create(label)
        expect((await call('DELETE', `${label}/${empty}`)).status).toBe(204)
        expect(await find(label, empty)).toBeUndefined()
        return
      }
      expect(reply.status).toBe(204)
      expect(await find(label, id)).toBeUndefined()
      expect((await call('DELETE', `${label}/${id}`)).status).toBe(404)
    })

    test('A tag of another kind is not found; only admins may change any.', async () => {
      const id = await create(label)
      const wrong = label === 'prompt' ? 'chain' : 'prompt'
      if (label !== 'category') expect((await call('DELETE', `${wrong}/${id}`)).status).toBe(404)
      const url = `/api/admin/labels/${label}`
      for (const as of [library.owner, undefined]) {
        const status = as === undefined ? 401 : 403
        expect((await library.request({ url, as })).status).toBe(status)
        for (const [method, path, body] of [
          ['PATCH', `${url}/${id}`, { name: 'x' }],
          ['POST', `${url}/${id}/merge`, { into: id }],
          ['DELETE', `${url}/${id}`, undefined],
        ] as const)
          expect((await library.request({ method, url: path, body, as })).status).toBe(status)
      }
      expect(await find(label, id)).toBeDefined()
    })
  })

  test('who did it is noted, and who made it has room again', async () => {
    const id = await create('prompt', 'noted')
    await call('PATCH', `prompt/${id}`, { name: 'noted again' })
    const quotas = async () =>
      (await library.request({ url: `/api/admin/users/${library.owner.user.id}/quotas`, as: library.admin }))
        .body as { quota: string; used: number }[]
    const tagsOf = async () => (await quotas()).find(({ quota }) => quota === 'tags')?.used ?? 0
    const before = await tagsOf()
    await call('DELETE', `prompt/${id}`)
    expect(await tagsOf()).toBe(before - 1)
    const rows = await library.db
      .select()
      .from(activity)
      .where(eq(activity.objectId, id))
      .orderBy(activity.id)
    const noted = rows.filter(({ objectType }) => objectType === 'tag')
    expect(noted.map(({ kind, personId }) => [kind, personId])).toEqual([
      ['tag.created', library.owner.user.id],
      ['tag.renamed', library.admin.user.id],
      ['tag.deleted', library.admin.user.id],
    ])
  })
})

describe('on a server', () => {
  test('what is saved with a category or tag while that is deleted is refused and not lost', async () => {
    const library = await startLibrary('server')
    const tag = await library.createTag(library.owner, 'going')
    const category = await library.createTag(library.owner, 'Going', '/api/categories')
    for (const [table, path, fields] of [
      ['tags', `prompt/${tag.id}`, { tagIds: [tag.id] }],
      ['categories', `category/${category.id}`, { categoryId: category.id }],
    ] as const) {
      const [deleted, saved] = await library.sendAtOnce({
        table,
        id: table === 'tags' ? tag.id : category.id,
        sends: [
          () => library.request({ method: 'DELETE', url: `/api/admin/labels/${path}`, as: library.admin }),
          () =>
            library.request({
              method: 'POST',
              url: '/api/prompts',
              body: { ...promptBody(library), ...fields },
              as: library.owner,
            }),
        ],
      })
      // Whichever came first: neither fails on the other.
      expect([
        [204, 400],
        [204, 201],
        [409, 201],
      ]).toContainEqual([deleted?.status, saved?.status])
    }
    await library.close()
  })
})
