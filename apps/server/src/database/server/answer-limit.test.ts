import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { queryDatabase } from '../../testing/query-database.ts'
import { LifeLine } from './answer-limit.ts'

test('a life line that is closed while it connects leaves no connection, which would keep the process alive', async () => {
  const connectionString = await createServerDatabase()
  const config = { connectionString, application_name: 'life line' }
  const open = async () => {
    const rows = await queryDatabase(
      connectionString,
      "select from pg_stat_activity where application_name = 'life line'",
    )
    return rows.length
  }
  const line = new LifeLine({ createClient: () => new pg.Client(config), limitMs: 5_000 })
  await line.ask()
  expect(await open()).toBe(1)
  await line.close()
  await vi.waitFor(async () => expect(await open()).toBe(0))

  const other = new LifeLine({ createClient: () => new pg.Client(config), limitMs: 5_000 })
  const asked = other.ask().catch(() => 'refused')
  await other.close()
  await asked
  await vi.waitFor(async () => expect(await open()).toBe(0))
})
