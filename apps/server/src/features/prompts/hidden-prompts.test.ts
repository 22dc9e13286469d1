import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Library, startLibrary } from '../../testing/library.ts'
import { readPrompt } from './read-prompts.ts'

const ABSENT = 2_000_000_000

describe('time', () => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary('embedded')
    await library.app.start()
  })
  afterAll(() => library.close())

  test('does not tell a hidden prompt from one that is not there: each is read from the database every time', async () => {
    const { owner, other, ctx } = library
    const { id } = await library.createPrompt(owner)
    const query = vi.spyOn(ctx.db.$client, 'query')
    const readsFor = async (wanted: number, user: typeof owner.user | null) => {
      query.mockClear()
      await readPrompt(ctx, { id: wanted, user }).catch(() => undefined)
      return query.mock.calls.filter(([statement]) => Object(statement).name === 'find_prompt').length
    }
    for (const stranger of [other.user, null])
      for (const wanted of [id, ABSENT, id, ABSENT]) expect(await readsFor(wanted, stranger)).toBe(1)
    expect(await readsFor(id, owner.user)).toBe(0)
    for (const wanted of [id, ABSENT]) expect(await readsFor(wanted, other.user)).toBe(1)
  })
})
