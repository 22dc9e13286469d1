import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'

const CALLS = 40

describe.each(routeDatabaseKinds)('reading, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind, { settings: { quotas: { reads: 125 } } })
    for (let index = 0; index < 100; index += 1) {
      await library.createPrompt(library.owner, { content: 'again '.repeat(80), isPublic: true })
    }
  })
  afterAll(() => library.close())

  test('one person’s many calls come in turns, and another’s between them', async () => {
    const order: string[] = []
    const read = async (name: 'owner' | 'other') => {
      const reply = await library.request({ url: '/api/prompts', as: library[name] })
      expect(reply.status).toBe(200)
      order.push(name)
    }
    const mine = Array.from({ length: CALLS }, () => read('owner'))
    await read('other')
    expect(order.length).toBeLessThan(CALLS / 2)
    await Promise.all(mine)
    expect(order).toHaveLength(CALLS + 1)
  })
})
