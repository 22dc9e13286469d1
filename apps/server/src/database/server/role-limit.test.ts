import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { createRole } from '../../testing/database-role.ts'
import { type DatabaseClient, openDatabase } from '../open/client.ts'
import { readLimit } from './role-limit.ts'

const STATEMENT_LIMIT_MS = 15_000

const opened: DatabaseClient[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(databaseUrl: string, options: { statementLimitMs?: number } = {}) {
  const database = await openDatabase({ databaseUrl, dataDir: '', fsync: false, ...options })
  opened.push(database)
  return database
}

/** What a session of anyone with that address has. */
async function limitAt(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await readLimit(client)
  } finally {
    await client.end()
  }
}

test('the role’s limit is written once, by however many open at the same time, and holds for its other sessions', async () => {
  const url = await createServerDatabase()
  expect(await limitAt(url)).toMatchObject({ limitMs: 0, ofRole: null })
  const [first] = await Promise.all([open(url), open(url), open(url), open(url)])
  expect(await limitAt(url)).toMatchObject({
    limitMs: STATEMENT_LIMIT_MS,
    ofRole: String(STATEMENT_LIMIT_MS),
  })
  expect(await readLimit(first.pool)).toMatchObject({ limitMs: STATEMENT_LIMIT_MS })
  const { rows } = await first.withoutLimit((client) => client.query('show statement_timeout'))
  expect(rows).toEqual([{ statement_timeout: '0' }])
})

test('a role that is no administrator sets it for itself, and for nobody else', async () => {
  const admin = await createServerDatabase()
  const url = await createRole(admin, 'grant all on all tables in schema public to')
  const database = await open(url)
  expect(await readLimit(database.pool)).toMatchObject({ limitMs: STATEMENT_LIMIT_MS })
  expect(await limitAt(admin)).toMatchObject({ limitMs: 0, ofRole: null })
})

test('A statement is ended after 15 s by the server itself, as the role’s setting; whoever opens the database with another limit leaves it alone.', async () => {
  const url = await createServerDatabase()
  await open(url)
  const other = await open(url, { statementLimitMs: 700 })
  expect(await readLimit(other.pool)).toMatchObject({ limitMs: 700, ofRole: String(STATEMENT_LIMIT_MS) })
  expect(await limitAt(url)).toMatchObject({ limitMs: STATEMENT_LIMIT_MS })
})

test('an address that leads nowhere is named as the direct one', async () => {
  const databaseUrl = await createServerDatabase()
  const databaseDirectUrl = 'postgres://nobody@127.0.0.1:1/none'
  const opened = openDatabase({ databaseUrl, databaseDirectUrl, dataDir: '', fsync: false })
  await expect(opened).rejects.toThrow(
    /^The database none at 127\.0\.0\.1:1 \(DATABASE_DIRECT_URL\) refuses connections/,
  )
})

test('a server on which it can’t be written limits each session all the same', async () => {
  const url = await createServerDatabase()
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const database = await open(readOnly.href)
  expect(await readLimit(database.pool)).toMatchObject({ limitMs: STATEMENT_LIMIT_MS, ofRole: null })
})
