import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { startApp } from '../../testing/harness.ts'
import { openDatabase } from '../open/client.ts'
import { LIFT_LIMITS } from './role-limit.ts'
import { judgeSchema, judgeSession, readServerState } from './server-troubles.ts'
import { listOtherSettings, type SESSION_SETTINGS, setForRole } from './session-settings.ts'

/** What somebody may have set for a server, a database or a role. */
const OTHERS: Record<keyof typeof SESSION_SETTINGS, string> = {
  DateStyle: 'German',
  IntervalStyle: 'sql_standard',
  extra_float_digits: '-5',
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  closing.push(() => client.end())
  return client
}

/** A database whose sessions begin with other settings than the program reads. */
async function createOtherDatabase(): Promise<string> {
  const url = await createServerDatabase()
  const client = await connect(url)
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of Object.entries(OTHERS))
    await client.query(`alter database ${name} set ${setting} to '${value}'`)
  return url
}

const NAMES = Object.keys(OTHERS).toSorted()

test('a person registers and is signed in whatever the database sets for its sessions', async () => {
  const databaseUrl = await createOtherDatabase()
  expect((await listOtherSettings(await connect(databaseUrl))).toSorted()).toEqual(NAMES)
  const client = await openDatabase({ databaseUrl, dataDir: '', fsync: false })
  closing.push(client.close)
  const app = await startApp({ database: { client } })
  closing.push(app.close)
  const person = await app.registerUser()
  expect((await app.request({ url: '/api/account', as: person })).status).toBe(200)
  expect(await client.withoutLimit(listOtherSettings)).toEqual([])
  const session = await client.pool.connect()
  expect(await listOtherSettings(session)).toEqual([])
  session.release()
  // An app is started, which takes long on a busy machine.
})

test('What a database or role sets for its sessions (`DateStyle`, digits, bytes, backslashes) does not matter, behind a pooler neither.', async () => {
  const url = await createOtherDatabase()
  const state = await readServerState(await connect(url))
  expect(judgeSession({ ...state, pooler: 'none' })).toBeNull()
  const trouble = judgeSession({ ...state, pooler: 'shared' })
  for (const name of NAMES) expect(trouble?.text).toContain(name)
  const command = setForRole(state.otherSettings, state.limit)
  expect(trouble?.todo).toContain(command)
  closing.push(async () => {
    const client = await connect(url)
    await client.query(`alter role "${state.limit.role}" in database "${state.limit.database}" reset all`)
  })
  await (await connect(url)).query(command)
  expect(await listOtherSettings(await connect(url))).toEqual([])
})

test('what takes long is not cut by a limit that the database sets for locks or transactions', async () => {
  const databaseUrl = await createServerDatabase()
  const name = new URL(databaseUrl).pathname.slice(1)
  const admin = await connect(databaseUrl)
  for (const limit of ['lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout'])
    await admin.query(`alter database ${name} set ${limit} to '2s'`)
  const client = await openDatabase({ databaseUrl, dataDir: '', fsync: false })
  closing.push(client.close)
  await client.withoutLimit(async (session) => {
    await session.query('begin')
    await session.query(LIFT_LIMITS)
    const { rows } = await session.query(
      `select name from pg_settings where name like '%\\_timeout' and setting <> '0'
        and name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`,
    )
    expect(rows).toEqual([])
    await session.query('select pg_sleep(2.5)')
    await session.query('commit')
  })
})

test.each(['ISO, DMY', 'ISO, MDY'])('dates as %s are read as they are', async (style) => {
  const client = await connect(await createServerDatabase())
  await client.query(`set datestyle to '${style}'`)
  expect(await listOtherSettings(client)).toEqual([])
})

test('a role whose tables would be made elsewhere than in public is told', async () => {
  const url = await createServerDatabase()
  expect(judgeSchema(await readServerState(await connect(url)))).toBeNull()
  const client = await connect(url)
  await client.query(`create schema other; set search_path to other, public`)
  expect(judgeSchema(await readServerState(client))).toMatchObject({
    text: expect.stringMatching(/^Tables are looked up in the schema other/),
    todo: expect.stringMatching(/SET search_path = public$/),
  })
})
