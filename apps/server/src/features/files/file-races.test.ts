import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, startLibrary } from '../../testing/library.ts'
import { createFilesService } from './files.service.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

test('a file that a variable is being saved with is not cleared away', async () => {
  const { owner, db } = library
  const inTwoDays = createFilesService({ db, now: () => new Date(Date.now() + 48 * 3_600_000) })
  const key = await inTwoDays.upload({ fileName: 'a.txt', content: 'text', user: owner.user })
  const file = { ownerId: owner.user.id, key }
  await db.transaction(async (tx) => {
    expect(await inTwoDays.hold(tx, file)).toBe('file')
    expect(await inTwoDays.deleteUnused()).toBe(0)
  })
  expect(await inTwoDays.read(file)).toBe('text')
  expect(await inTwoDays.deleteUnused()).toBe(1)
  expect(await inTwoDays.read(file)).toBeUndefined()
})
