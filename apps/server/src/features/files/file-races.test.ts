import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../platform/context.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { deleteUnused, holdFile, readText, uploadText } from './files.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

test('a file that a variable is being saved with is not cleared away', async () => {
  const { owner } = library
  const inTwoDays = { ...library.ctx, now: () => new Date(Date.now() + 48 * 3_600_000) }
  const key = await uploadText(inTwoDays, { fileName: 'a.txt', content: 'text', user: owner.user })
  const file = { ownerId: owner.user.id, key }
  await transaction(library.ctx, async (ctx) => {
    expect(await holdFile(ctx, file)).toBe('file')
    expect(await deleteUnused(inTwoDays)).toBe(0)
  })
  expect(await readText(inTwoDays, file)).toBe('text')
  expect(await deleteUnused(inTwoDays)).toBe(1)
  expect(await readText(inTwoDays, file)).toBeUndefined()
})
