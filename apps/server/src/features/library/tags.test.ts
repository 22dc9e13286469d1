import { TAG_KINDS, type Tag } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary, TAG_PATHS } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('tags on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const list = async (url: string) => (await library.request({ url })).body as Tag[]
  const search = (url: string, name: string) =>
    library.request({ url: `${url}/search?${new URLSearchParams({ name })}` })

  describe.each(TAG_KINDS)('of kind %s', (tagKind) => {
    const url = TAG_PATHS[tagKind]
    const create = (body: unknown, as = library.owner) => library.request({ method: 'POST', url, body, as })

    test('a signed-in person creates one; everyone lists and finds it', async () => {
      const created = await create({ name: '  Über 50%_ ' })
      expect([created.status, created.body]).toEqual([201, { id: expect.any(Number), name: 'Über 50%_' }])
      expect(await list(url)).toContainEqual(created.body)
      const found = await search(url, 'üBER 50%_')
      expect([found.status, found.body]).toEqual([200, created.body])
    })

    test('a guest may not create one', async () => {
      const reply = await library.request({ method: 'POST', url, body: { name: 'guest' } })
      expect(reply.status).toBe(401)
      expect((await search(url, 'guest')).body).toEqual({})
    })

    test('a search without a hit answers an object without an id', async () => {
      for (const name of ['nowhere', '%', '_', 'Über']) {
        const reply = await search(url, name)
        expect([reply.status, reply.body]).toEqual([200, {}])
      }
    })

    test('Each kind of tag has a list, a search by name, and a POST that answers 409 if the name exists.', async () => {
      const { body: existing } = await create({ name: 'Draft' })
      const again = await create({ name: ' dRAFT ' }, library.other)
      expect([again.status, again.body]).toEqual([409, { error: 'Tag exists', details: existing }])
    })

    test.each([
      ['Café', 'Cafe\u0301'],
      ['two  spaces', 'TWO\u00a0spaces'],
      ['ﬁsh', 'fish'],
      ['Straße', 'STRASSE'],
      ['re\u00adport', 'report'],
      ['BİLGİ', 'bilgi'],
    ])('%j is taken by %j, which looks the same, and found by it', async (name, other) => {
      const { body: existing } = await create({ name: other })
      expect(await create({ name })).toMatchObject({ status: 409, body: { details: existing } })
      expect((await search(url, name)).body).toEqual(existing)
    })

    test('of parallel creations one wins and the others learn which', async () => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'race' })))
      const won = replies.filter(({ status }) => status === 201)
      expect(won).toHaveLength(1)
      for (const { status, body } of replies.filter((reply) => reply !== won[0])) {
        expect([status, body]).toEqual([409, { error: 'Tag exists', details: won[0]?.body }])
      }
    })

    test.each([
      { body: { name: ' ' }, message: 'Name is required' },
      { body: {}, message: 'Required' },
      { body: { name: 'x'.repeat(51) }, message: 'Name must be at most 50 characters' },
      { body: { name: 'x', kind: 'chain' }, message: 'Unrecognized key: "kind"' },
      { body: { name: 'x', createdBy: 1 }, message: 'Unrecognized key: "createdBy"' },
    ])('Names of tags have 1 to 50 characters (D17). ($message)', async ({ body, message }) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.body).toMatchObject({ error: message })
    })

    test.each(['/search', '/search?name=', '/search?name=x&kind=chain', '/search?name=a&name=b'])(
      '%s is refused',
      async (path) => {
        expect((await library.request({ url: url + path })).status).toBe(400)
      },
    )
  })

  test('Prompts, variables and chains have separate tags, each with id and name.', async () => {
    const tags = []
    for (const tagKind of TAG_KINDS) {
      tags.push(await library.createTag(library.owner, 'same name', TAG_PATHS[tagKind]))
    }
    expect(new Set(tags.map(({ id }) => id)).size).toBe(3)
    for (const [n, tagKind] of TAG_KINDS.entries()) {
      const listed = await list(TAG_PATHS[tagKind])
      expect(listed.filter(({ name }) => name === 'same name')).toEqual([tags[n]])
    }
    expect(await list('/api/chains/tags')).toEqual(await list('/api/chain-tags'))
  })
})
