import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { createRole } from '../../testing/database-role.ts'
import {
  judgeClock,
  judgeConnections,
  judgeLimit,
  judgeRights,
  readServerState,
  type ServerState,
} from './server-troubles.ts'

const clients: pg.Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
})

async function stateAt(connectionString: string): Promise<ServerState> {
  const client = new pg.Client({ connectionString })
  clients.push(client)
  await client.connect()
  return readServerState(client)
}

test('a server that is well has no trouble', async () => {
  const state = await stateAt(await createServerDatabase())
  expect(state).toMatchObject({ encoding: 'UTF8', trigrams: 'installed', rights: { closed: [] } })
  expect(state.rights.tables).toBeGreaterThan(30)
  expect([judgeRights(state), judgeClock(state)]).toEqual([null, null])
})

test('a role that may not use the tables is told what to grant; if it may use none, nothing would work', async () => {
  const url = await createServerDatabase()
  const none = judgeRights(await stateAt(await createRole(url)))
  expect(none).toMatchObject({
    isFatal: true,
    text: expect.stringMatching(/may not read and write (\d+) of the \1 /),
  })
  const some = await createRole(
    url,
    'grant usage on schema drizzle to',
    'grant all on all tables in schema public to',
  )
  expect(judgeRights(await stateAt(some))).toMatchObject({
    isFatal: false,
    text: expect.stringMatching(/may not read and write 1 of the \d+ tables, such as __drizzle_migrations$/),
    todo: expect.stringContaining(`TO "${new URL(some).username}"`),
  })
})

test('connections that all processes together may take are counted against what the server leaves them', async () => {
  const url = await createServerDatabase()
  const role = await createRole(url)
  const { places } = await stateAt(role)
  expect(places).toEqual({ count: 297, setBy: 'max_connections' })
  const judge = (processes: number, options: Partial<Parameters<typeof judgeConnections>[0]> = {}) =>
    judgeConnections({ places, processes, poolSize: 10, pooler: 'none', ...options })
  expect(judge(24)).toBeNull()
  expect(judge(25)).toEqual({
    text: '25 processes take up to 300 connections (DATABASE_POOL 10 plus 2 each), but max_connections leaves only 297',
    todo: 'Set DATABASE_POOL to 9 or less, raise max_connections, or put a pooler such as PgBouncer in between.',
  })
  expect(judge(1, { poolSize: 296 })?.text).toMatch(/^This process takes up to 298 connections/)
  expect(judge(25, { pooler: 'shared' })).toBeNull()

  const name = new URL(role).username
  const admin = new pg.Client({ connectionString: url })
  clients.push(admin)
  await admin.connect()
  await admin.query(`alter role ${name} connection limit 20`)
  expect((await stateAt(role)).places).toEqual({ count: 20, setBy: 'the CONNECTION LIMIT of the role' })
})

test.each([
  { clockAheadMs: 1_900, text: null },
  { clockAheadMs: 3_400, text: 'This clock is 3.4 s behind the database’s. Up to 2 s is fine' },
  { clockAheadMs: -61_000, text: 'This clock is 61.0 s ahead of the database’s. Up to 2 s is fine' },
])('a clock that is $clockAheadMs ms off', ({ clockAheadMs, text }) => {
  expect(judgeClock({ clockAheadMs })?.text ?? null).toEqual(
    text === null ? null : expect.stringContaining(text),
  )
})

test('sessions of a pooler without the limit: those from before it, or those of another role', () => {
  const limit = { role: 'o"neil', database: 'catenary', limitMs: 0, ofRole: '15000' }
  expect(judgeLimit({ limit, pooler: 'shared' })?.todo).toMatch('RECONNECT')
  expect(judgeLimit({ limit: { ...limit, ofRole: null }, pooler: 'shared' })?.todo).toMatch(
    'ALTER ROLE "o""neil" IN DATABASE "catenary" SET statement_timeout = 15000',
  )
  expect(judgeLimit({ limit: { ...limit, limitMs: 15_000 }, pooler: 'shared' })).toBeNull()
})
