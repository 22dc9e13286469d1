import type { View } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('views on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const url = '/api/views'
  const list = async (as: TestUser) => (await library.request({ url, as })).body as View[]
  const save = (body: object, as?: TestUser) => library.request({ method: 'POST', url, body, as })
  const remove = (id: number, as?: TestUser) => library.request({ method: 'DELETE', url: `${url}/${id}`, as })
  const kept = { name: 'Weekly', page: 'prompts', query: 'search=week&tags=1,2&sort=title' }

  test('A saved view is one’s own, and seen by nobody else.', async () => {
    const { owner, other, admin } = library
    const first = await save({ ...kept, name: ' Weekly ' }, owner)
    expect([first.status, first.body]).toEqual([201, { id: expect.any(Number), ...kept }])
    const second = (await save({ name: 'All', page: 'chains', query: '' }, owner)).body as View
    const own = [first.body, second]
    expect(await list(owner)).toEqual(own)
    expect([await list(other), await list(admin)]).toEqual([[], []])
    for (const stranger of [other, admin]) {
      const refused = await remove(second.id, stranger)
      expect([refused.status, refused.body]).toEqual([404, { error: 'View not found' }])
    }
    expect(await list(owner)).toEqual(own)
    expect((await remove(second.id, owner)).status).toBe(204)
    expect((await remove(second.id, owner)).status).toBe(404)
    expect(await list(owner)).toEqual([first.body])
  })

  test('A view’s name is taken once a page.', async () => {
    const owner = await library.registerUser()
    const first = (await save({ ...kept, name: 'Größe' }, owner)).body
    const again = await save({ ...kept, name: 'GRÖSSE' }, owner)
    expect([again.status, again.body]).toEqual([409, { error: 'View exists', details: first }])
    const elsewhere = await save({ ...kept, name: 'Größe', page: 'chains' }, owner)
    const others = await save({ ...kept, name: 'Größe' }, await library.registerUser())
    expect([elsewhere.status, others.status]).toEqual([201, 201])
  })

  test('pages of the list follow each other', async () => {
    const owner = await library.registerUser()
    for (const name of ['a', 'b', 'c']) await save({ ...kept, name }, owner)
    const first = await library.request({ url: `${url}?limit=2`, as: owner })
    const cursor = String(first.headers['x-next-cursor'])
    const second = await library.request({ url: `${url}?limit=2&cursor=${cursor}`, as: owner })
    const names = [first, second].map(({ body }) => (body as View[]).map(({ name }) => name))
    expect([first.headers['x-total-count'], names]).toEqual(['3', [['a', 'b'], ['c']]])
  })

  test('a guest has none', async () => {
    expect((await library.request({ url })).status).toBe(401)
    expect((await save(kept)).status).toBe(401)
    expect((await remove(1)).status).toBe(401)
  })

  const notQuery = 'Must be a URL query, such as search=welcome&sort=title'
  test.each([
    { change: { name: '\t' }, message: 'Name is required' },
    { change: { name: 'x'.repeat(51) }, message: 'Name must be at most 50 characters' },
    { change: { query: 'x'.repeat(2001) }, message: 'The query must be at most 2,000 characters' },
    { change: { query: 'a=1#b' }, message: notQuery },
    { change: { query: 'a=1\u0007' }, message: notQuery },
    { change: { query: 'a b' }, message: notQuery },
    { change: { ownerId: 1 }, message: 'Unrecognized key: "ownerId"' },
  ])('refused: $message of $change', async ({ change, message }) => {
    const reply = await save({ ...kept, ...change }, library.owner)
    expect([reply.status, reply.body]).toMatchObject([400, { error: message }])
  })

  test('an unknown page is refused', async () => {
    expect((await save({ ...kept, page: 'usage' }, library.owner)).status).toBe(400)
  })
})
