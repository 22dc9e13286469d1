import type { Prompt, PromptVersion } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const VERSION_NOTE_MAX = 200

describe.each(routeDatabaseKinds)('prompt versions on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const versions = async (id: number) =>
    (await library.request({ url: `/api/prompts/${id}/versions`, as: library.owner })).body as PromptVersion[]
  const save = async (id: number, fields: object, as = library.owner) => {
    const { categoryId } = library
    const body = { title: 'One', content: 'first', categoryId, ...fields }
    return (await library.request({ method: 'PUT', url: `/api/prompts/${id}`, body, as })).body as Prompt
  }
  const restore = ({ id, number, body }: { id: number; number: number | string; body?: unknown }) =>
    library.request({
      method: 'POST',
      url: `/api/prompts/${id}/versions/${number}/restore`,
      body,
      as: library.owner,
    })

  test('each save of title or content is a version with number, author and time, newest first', async () => {
    const { id } = await library.createPrompt(library.owner, {
      title: 'One',
      content: 'first',
      isPublic: true,
    })
    await save(id, { title: 'Two' })
    await save(id, { title: 'Two', isActive: false })
    expect(await save(id, { title: 'Two', content: 'second' }, library.admin)).toMatchObject({
      version: 3,
      revision: 4,
    })
    const same = { note: '', createdAt: expect.stringMatching(/Z$/), othersNames: [] }
    expect(await versions(id)).toEqual([
      { number: 3, title: 'Two', content: 'second', author: 'Adam', ...same },
      { number: 2, title: 'Two', content: 'first', author: 'Olga', ...same },
      { number: 1, title: 'One', content: 'first', author: 'Olga', ...same },
    ])
  })

  test('A version’s note is one line, kept with it.', async () => {
    const { id } = await library.createPrompt(library.owner, {
      title: 'One',
      content: 'first',
      note: 'begun',
    })
    await save(id, { content: 'second', note: '  ends with a question ' })
    await save(id, { content: 'third' })
    await restore({ id, number: 2 })
    const notes = (await versions(id)).map(({ number, note }) => [number, note])
    expect(notes).toEqual([
      [4, ''],
      [3, ''],
      [2, 'ends with a question'],
      [1, 'begun'],
    ])
    const one = await library.request({ url: `/api/prompts/${id}/versions/2`, as: library.owner })
    expect(one.body).toMatchObject({ note: 'ends with a question' })
  })

  test.each([
    ['longer than a line has room for', { content: 'new', note: 'n'.repeat(VERSION_NOTE_MAX + 1) }],
    ['of two lines', { content: 'new', note: 'one\ntwo' }],
    ['for a text that is saved already', { note: 'nothing new' }],
  ])('A note is refused where no new version is made. (%s)', async (_what, fields) => {
    const { id } = await library.createPrompt(library.owner, { title: 'One', content: 'first' })
    const body = { title: 'One', content: 'first', categoryId: library.categoryId, ...fields }
    const refused = await library.request({
      ...{ method: 'PUT', url: `/api/prompts/${id}`, body },
      as: library.owner,
    })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'note' }] } })
    expect(await versions(id)).toMatchObject([{ number: 1, content: 'first' }])
  })

  test('a refused save writes no version', async () => {
    const { id } = await library.createPrompt(library.owner, { title: 'One', content: 'first' })
    await save(id, { title: 'Two', revision: 7 })
    await save(id, { title: 'Two', tagIds: [2147483647] })
    await save(id, { title: 'Two', categoryId: 2147483647 })
    expect(await versions(id)).toHaveLength(1)
  })

  test('restoring makes a new version of the old text and leaves the rest as it is', async () => {
    const tag = await library.createTag(library.owner, 'stays')
    const { id } = await library.createPrompt(library.owner, { title: 'One', content: 'first' })
    await save(id, { title: 'Two', content: 'second', isActive: false, tagIds: [tag.id] })
    const restored = await restore({ id, number: 1 })
    expect(restored.status).toBe(200)
    expect(restored.body).toMatchObject({
      title: 'One',
      content: 'first',
      isActive: false,
      tags: [tag],
      version: 3,
      revision: 3,
    })
    expect((await versions(id)).map(({ number, title }) => [number, title])).toEqual([
      [3, 'One'],
      [2, 'Two'],
      [1, 'One'],
    ])
  })

  test('a stale revision, an unknown version or another field restores nothing', async () => {
    const { id } = await library.createPrompt(library.owner)
    await save(id, { title: 'Two' })
    const stale = await restore({ id, number: 1, body: { revision: 1 } })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ details: { id, title: 'Two', revision: 2 } })
    const unknown = await restore({ id, number: 9 })
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Version not found' }])
    expect((await restore({ id, number: 'x' })).status).toBe(400)
    expect((await restore({ id, number: 1, body: { title: 'Three' } })).status).toBe(400)
    expect(await versions(id)).toHaveLength(2)
  })

  test("another prompt's version number finds nothing under this one", async () => {
    const mine = await library.createPrompt(library.owner)
    const long = await library.createPrompt(library.owner, { title: 'One', content: 'first' })
    await save(long.id, { title: 'Two' })
    expect((await restore({ id: mine.id, number: 2 })).status).toBe(404)
    expect(await versions(mine.id)).toHaveLength(1)
  })
})
