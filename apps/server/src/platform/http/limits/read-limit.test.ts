import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../../database/schema/index.ts'
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

  test('one person alone is never refused on a slow machine, and neither are two who want as much', async () => {
    // Far less of the share than these calls take.
    await library.db.update(users).set({ quotas: { reads: 5 } })
    const slow = setInterval(() => blockFor(40), 50)
    try {
      const read = async (name: 'owner' | 'other') =>
        (await library.request({ url: '/api/prompts', as: library[name] })).status
      const alone = await Promise.all(Array.from({ length: CALLS }, () => read('owner')))
      expect(new Set(alone)).toEqual(new Set([200]))
      for (let call = 0; call < 10; call += 1) expect(await read('owner')).toBe(200)
      const both = Array.from({ length: CALLS / 2 }, () => [read('owner'), read('other')]).flat()
      expect(new Set(await Promise.all(both))).toEqual(new Set([200]))
    } finally {
      clearInterval(slow)
    }
  })
})

/** Keeps the only thread busy, as another program on the machine would. */
function blockFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
