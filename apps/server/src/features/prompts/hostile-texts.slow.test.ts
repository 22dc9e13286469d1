import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { createDataDirectory, createServerDatabase, routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

/** Thirty megabytes of what index and references have most of. */
const TEXTS = [`repeat('ab', 500000)`, `repeat('$<a>', 250000)`, `repeat('$<', 500000)`]
const SEARCHES = [`${'ab'.repeat(99)}c`, 'a'.repeat(199), '$<'.repeat(99), '%_\\'.repeat(66), '!'.repeat(199)]

describe.each(routeDatabaseKinds)('thirty megabytes of hostile texts on %s', (kind) => {
  let database: DatabaseClient
  let library: Library
  beforeAll(async () => {
    // With the limit that statements have in the product.
    database =
      kind === 'embedded'
        ? await openDatabase({ dataDir: await createDataDirectory(), fsync: false })
        : await openDatabase({ dataDir: '', databaseUrl: await createServerDatabase(), fsync: false })
    library = await startLibrary(kind, { database: { client: database } })
    const { owner, categoryId } = library
    for (const text of TEXTS) {
      for (let count = 0; count < 10; count += 1) {
        await library.db.execute(sql`insert into prompts (owner_id, category_id, title, content, is_public)
          values (${owner.user.id}, ${categoryId}, 'Heavy', ${sql.raw(text)}, true)`)
      }
    }
  })
  afterAll(async () => {
    await library.close()
    await database.close()
  })

  test('are searched by anyone within the limit of a statement, and short calls come between', async () => {
    const ended: string[] = []
    const searches = SEARCHES.map(async (search) => {
      const reply = await library.request({ url: `/api/prompts?${new URLSearchParams({ search })}` })
      ended.push('search')
      return reply.status
    })
    const short = library.request({ url: '/api/categories' }).then(({ status }) => {
      ended.push('short')
      return status
    })
    expect(await Promise.all([short, ...searches])).toEqual([200, 200, 200, 200, 200, 200])
    expect(ended.at(-1)).toBe('search')
  })

  test('have the use of their variables counted and named within the limit', async () => {
    const { owner } = library
    const { id } = await library.createVariable(owner, { name: 'a' })
    const counts = await library.request({ url: '/api/variables/usage', as: owner })
    expect([counts.status, counts.body]).toEqual([200, [{ id, prompts: 10, chains: 0 }]])
    const usage = await library.request({ url: `/api/variables/${id}/usage`, as: owner })
    expect([usage.status, (usage.body as { prompts: [] }).prompts.length]).toEqual([200, 10])
  })
})
