import type { ListedPrompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const LIST_BYTES_MAX = 2_000_000
const TOTAL_COUNT = 'x-total-count'

/** Half a gigabyte. */
const HEAVY = 546

describe.each(routeDatabaseKinds)('pages of prompts on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  async function read(query: string) {
    const reply = await library.request({ url: `/api/prompts${query}` })
    expect(reply.status, reply.text).toBe(200)
    return {
      prompts: reply.body as ListedPrompt[],
      bytes: Buffer.byteLength(reply.text),
      total: String(reply.headers[TOTAL_COUNT]),
    }
  }

  test('of hundreds of prompts of a megabyte each are small, for many who ask at once', async () => {
    await library.db.execute(sql`
      insert into prompts (owner_id, category_id, title, content, is_public)
      select ${library.owner.user.id}, ${library.categoryId}, 'Heavy', repeat('heavy ', 166666), true
      from generate_series(1, ${HEAVY})`)
    const before = process.resourceUsage().maxRSS
    const pages = await Promise.all(Array.from({ length: 6 }, () => read('')))
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(300 * 1024)
    for (const { prompts, bytes, total } of pages) {
      expect([prompts.length, total]).toEqual([HEAVY, `${HEAVY}`])
      expect(bytes).toBeLessThan(LIST_BYTES_MAX)
    }
    expect((await read('?search=heavy+heavy')).total).toBe(`${HEAVY}`)
  })
})
