import type { Category } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('categories on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const url = '/api/categories'
  const list = async (as?: TestUser) => (await library.request({ url, as })).body as Category[]
  const create = (body: unknown, as?: TestUser) => library.request({ method: 'POST', url, body, as })

  test('GET and POST /api/categories list and create; a category has id, name and count, and a fresh instance has the first four.', async () => {
    expect((await list()).slice(0, 4)).toEqual([
      { id: expect.any(Number), name: 'General', count: 0 },
      { id: expect.any(Number), name: 'Writing', count: 0 },
      { id: expect.any(Number), name: 'Coding', count: 0 },
      { id: expect.any(Number), name: 'Analysis', count: 0 },
    ])
  })

  test('Each category shows how many prompts it has that the caller can see.', async () => {
    const { owner, other, admin } = library
    const { id } = (await create({ name: 'Counted' }, owner)).body as Category
    await library.createPrompt(owner, { categoryId: id })
    await library.createPrompt(owner, { categoryId: id, isPublic: true })
    await library.createPrompt(other, { categoryId: id })
    const count = async (as?: TestUser) => (await list(as)).find((category) => category.id === id)?.count
    expect([await count(owner), await count(other), await count(admin), await count()]).toEqual([2, 2, 1, 1])
  })

  test('a name that is taken, in whatever case, is a conflict with the existing category', async () => {
    const created = await create({ name: ' Größe ' }, library.owner)
    expect([created.status, created.body]).toEqual([201, { id: expect.any(Number), name: 'Größe', count: 0 }])
    const again = await create({ name: 'GRÖßE' }, library.other)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ error: 'Category exists', details: { name: 'Größe' } })
  })

  test('a guest creates none', async () => {
    expect((await create({ name: 'By a guest' })).status).toBe(401)
    expect((await list()).map(({ name }) => name)).not.toContain('By a guest')
  })

  test.each([
    { body: { name: '\t' }, message: 'Name is required' },
    { body: { name: 'x'.repeat(51) }, message: 'Name must be at most 50 characters' },
    { body: { name: 'x', id: 7 }, message: 'Unrecognized key: "id"' },
    { body: { name: 'x', createdBy: 1 }, message: 'Unrecognized key: "createdBy"' },
  ])('Names of categories have 1 to 50 characters (D17). ($message)', async ({ body, message }) => {
    const reply = await create(body, library.owner)
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: message, details: [{ path: expect.any(String), message }] },
    ])
  })
})
