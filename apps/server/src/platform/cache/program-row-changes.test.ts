import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import { startApp } from '../../testing/harness.ts'

it('reads nothing for a program that has closed, whatever is written in its database', async () => {
  const database = await openTestDatabase()
  const { client } = database
  const app = await startApp({ database })
  const query = vi.spyOn(client.pool, 'query')
  const readAfterWrite = async () => {
    query.mockClear()
    await client.db.execute(sql`update models set label = label`)
    await setImmediate()
    return query.mock.calls.length - 1
  }
  expect(await readAfterWrite()).toBeGreaterThan(0)
  await app.close()
  expect(await readAfterWrite()).toBe(0)
  await database.close()
})
