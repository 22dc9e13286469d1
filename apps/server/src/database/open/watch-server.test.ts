import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StartError } from '../../errors.ts'
import { createServerDatabase, openTestDatabase } from '../../testing/database.ts'
import { createRole } from '../../testing/database-role.ts'
import { countLiveProcesses } from '../statements/process-rows.ts'
import { type DatabaseClient, openDatabase } from './client.ts'
import { migrate } from './migrate.ts'
import { watchServer } from './watch-server.ts'

const said: string[] = []
const hear = (_fields: object, message: string) => void said.push(message)
const log = { info: hear, warn: hear, error: hear }
const closing: (() => unknown)[] = []
beforeEach(() => said.splice(0))
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(databaseUrl: string, options: { databasePool?: number } = {}): Promise<DatabaseClient> {
  const database = await openDatabase({ databaseUrl, dataDir: '', fsync: false, ...options })
  closing.push(database.close)
  return database
}

const watch = (database: DatabaseClient) =>
  watchServer({ database, log, countProcesses: () => countLiveProcesses(database.pool) })

test('What is wrong with a server is logged once as long as it lasts: pooler, encoding, extension, rights, room for connections, the time limit, clocks that differ by 2 s.', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const database = await open(await createServerDatabase())
  let processes = 1_000
  closing.push(await watchServer({ database, log, countProcesses: async () => processes }))
  const look = async () => {
    const released = once(database.pool, 'release')
    vi.advanceTimersByTime(60_000)
    await released
    await setImmediate()
  }
  await look()
  expect(said).toEqual([
    expect.stringMatching(
      /^1000 processes take up to 12000 connections.* Start fewer processes, raise max_connections, /,
    ),
  ])
  processes = 1
  await look()
  expect(said).toHaveLength(1)
  processes = 500
  await look()
  expect(said).toEqual([expect.anything(), expect.stringMatching(/^500 processes/)])
})

test('A role that may not use the tables, or not make them, stops the start with what to grant.', async () => {
  const url = await createServerDatabase()
  const closed = await open(await createRole(url))
  await expect(watch(closed)).rejects.toThrow(/may not read and write .* GRANT SELECT/)

  const empty = await createServerDatabase({ migrated: false })
  const guest = await open(await createRole(empty))
  closing.push(await watch(guest))
  const refused = migrate({ database: guest })
  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow(
    /may not create tables .* GRANT CREATE ON DATABASE "test_\w+" TO "role_\w+"/,
  )
  const maker = await open(
    await createRole(
      empty,
      `grant create on database ${new URL(empty).pathname.slice(1)} to`,
      'grant create on schema public to',
    ),
  )
  await migrate({ database: maker })
  expect((await maker.pool.query('select count(*)::int as count from users')).rows).toEqual([{ count: 0 }])
})

test('the embedded database is not looked at', async () => {
  const { client, close } = await openTestDatabase('embedded')
  closing.push(close)
  const query = vi.spyOn(client.pool, 'connect')
  closing.push(await watch(client))
  expect(query).not.toHaveBeenCalled()
  query.mockRestore()
})
