import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { readPrompt } from './operations/read-prompts.ts'
import { preparePromptWithShares } from './prompts.repository.ts'
import type { PromptsDeps } from './prompts-deps.ts'

const ABSENT = 2_000_000_000

describe('time', () => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary('embedded')
  })
  afterAll(() => library.close())

  test('does not tell a hidden prompt from one that is not there: each is read from the database every time', async () => {
    const { owner, other, db } = library
    const { id } = await library.createPrompt(owner)
    const fromDatabase = preparePromptWithShares(db)
    let reads = 0
    const load = (wanted: number) => {
      reads += 1
      return fromDatabase(wanted)
    }
    const rowChanges = { isListening: true, subscribe: () => undefined }
    const findCached = readThroughCache({ rowChanges, load, rowsOf: () => [], capacity: 100 })
    const deps = { load, findCached } as unknown as PromptsDeps
    const readsFor = async (wanted: number, user: typeof owner.user | null) => {
      reads = 0
      await readPrompt(deps, { id: wanted, user }).catch(() => undefined)
      return reads
    }
    for (const stranger of [other.user, null])
      for (const wanted of [id, ABSENT, id, ABSENT]) expect(await readsFor(wanted, stranger)).toBe(1)
    expect(await readsFor(id, owner.user)).toBe(0)
    for (const wanted of [id, ABSENT]) expect(await readsFor(wanted, other.user)).toBe(1)
  })
})
