import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('what a prompt may not be, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const refused = async ({ fields, absent }: { fields?: object; absent?: string }) => {
    const { owner } = library
    const whole = { ...promptBody(library), ...fields }
    const body = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== absent))
    const kept = await library.createPrompt(owner)
    const count = async () => (await library.request({ url: '/api/prompts', as: owner })).body
    const before = await count()
    const created = await library.request({ method: 'POST', url: '/api/prompts', body, as: owner })
    const url = `/api/prompts/${kept.id}`
    const saved = await library.request({ method: 'PUT', url, body, as: owner })
    expect([created.status, saved.status]).toEqual([400, 400])
    expect(saved.body).toEqual(created.body)
    expect(await count()).toEqual(before)
    return created.body
  }

  test.each([
    { fields: { title: '' }, path: 'title', message: 'Title is required' },
    { fields: { title: ' \t ' }, path: 'title', message: 'Title is required' },
    { absent: 'title', path: 'title', message: 'Required' },
    { fields: { title: 7 }, path: 'title', message: 'Expected string, received number' },
    { fields: { title: 'x'.repeat(201) }, path: 'title', message: 'Title must be at most 200 characters' },
    { fields: { content: '' }, path: 'content', message: 'Content is required' },
    { fields: { content: '\n' }, path: 'content', message: 'Content is required' },
    { absent: 'categoryId', path: 'categoryId', message: 'Please select a category' },
    { fields: { categoryId: null }, path: 'categoryId', message: 'Please select a category' },
    { fields: { categoryId: 0 }, path: 'categoryId', message: 'Please select a category' },
    { fields: { categoryId: '1' }, path: 'categoryId', message: 'Category must be a number' },
    { fields: { categoryId: 2147483648 }, path: 'categoryId', message: 'Category must be a number' },
    { fields: { categoryId: 2147483647 }, path: 'categoryId', message: 'This category does not exist' },
    { fields: { isActive: 'yes' }, path: 'isActive', message: 'Expected boolean, received string' },
    {
      fields: { tagIds: [2147483647] },
      path: 'tagIds',
      message: 'There is no prompt tag with the id 2147483647',
    },
    { fields: { tagIds: ['1'] }, path: 'tagIds.0', message: 'Expected number, received string' },
    { fields: { title: 'a\0b' }, path: 'title', message: 'Text must not contain NUL bytes' },
    { fields: { content: '\ud800' }, path: 'content', message: 'Text must be valid Unicode' },
  ])(
    'A missing or wrong field answers ‘Required’, ‘Expected X, received Y’ or ‘Category must be a number’. ($message)',
    async ({ fields, absent, path, message }) => {
      const body = await refused({ ...(fields && { fields }), ...(absent !== undefined && { absent }) })
      expect(body).toEqual({ error: message, details: [{ path, message }] })
    },
  )

  test.each(['ownerId', 'id', 'role', 'version', 'canEdit', 'updatedAt', 'userId'])(
    'the field %s is refused, not assigned',
    async (name) => {
      expect(await refused({ fields: { [name]: 1 } })).toMatchObject({
        error: `Unrecognized key: "${name}"`,
      })
    },
  )

  test('every wrong field is named at once', async () => {
    const body = await refused({ fields: { title: '', content: '', categoryId: 0 } })
    expect(body).toMatchObject({ details: [{ path: 'title' }, { path: 'content' }, { path: 'categoryId' }] })
  })

  test('a tag of another kind is no tag of a prompt', async () => {
    const { id } = await library.createTag(library.owner, 'of a chain', '/api/chain-tags')
    const message = `There is no prompt tag with the id ${id}`
    expect(await refused({ fields: { tagIds: [id] } })).toEqual({
      error: message,
      details: [{ path: 'tagIds', message }],
    })
  })

  test.each([
    { body: '{"title":', type: 'application/json', status: 400 },
    { body: '[]', type: 'application/json', status: 400 },
    { body: '{"__proto__":{"isAdmin":true}}', type: 'application/json', status: 400 },
    { body: 'title=x', type: 'application/x-www-form-urlencoded', status: 415 },
    { body: JSON.stringify({ title: 'x'.repeat(2_000_000) }), type: 'application/json', status: 413 },
  ])('a body of $type is answered with $status', async ({ body, type, status }) => {
    const reply = await library.request({
      method: 'POST',
      url: '/api/prompts',
      body,
      headers: { 'content-type': type },
      as: library.owner,
    })
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ error: expect.any(String) })
  })
})
