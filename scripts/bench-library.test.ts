import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, startLibrary } from '../apps/server/src/testing/library.ts'
import { fillLibrary } from '../bench/lib/library.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('embedded')
})
afterAll(() => library.close())

test('benches fill a library by statements of their own, which leave its indexes as they were', async () => {
  const indexes = async () => {
    const { rows } = await library.client.pool.query(
      `select indexdef from pg_indexes where tablename = 'prompts' order by indexname`,
    )
    return rows
  }
  const before = await indexes()
  await fillLibrary({ database: library.client }, 20)
  expect(await indexes()).toEqual(before)
  const reply = await library.request({ url: '/api/prompts?search=letter', as: library.owner })
  expect((reply.body as unknown[]).length).toBeGreaterThan(10)
})
