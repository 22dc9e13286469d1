import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { lockDirectory } from '../../database/embedded/directory-lock.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { createDataDirectory, createServerDatabase } from '../../testing/database.ts'
import { createRole } from '../../testing/database-role.ts'
import { checkDatabase } from './check-database.ts'

const BASELINE = 1_795_744_629_351

const made: string[] = []
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

async function check(env: Record<string, string>): Promise<string[]> {
  const { findings } = await checkDatabase(readSettings(env))
  return findings.map(({ grade, text }) => `${grade}: ${text}`)
}

describe('a server', () => {
  const change = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  test('that works', async () => {
    const url = await createServerDatabase()
    const said = await check({ DATABASE_URL: url })
    expect(said).toEqual([
      expect.stringMatching(/^ok: PostgreSQL \d+/),
      'ok: Its texts are in UTF-8',
      'ok: The extension pg_trgm, which search needs, is installed',
      'ok: The tables match this version',
      'ok: The activity has no rows in its chain yet',
      expect.stringMatching(/^ok: It uses [\d.]+ MB; only its own/),
      expect.stringMatching(/: It answers in [\d.]+ ms/),
      'ok: It accepts writes',
      expect.stringMatching(/^ok: The role postgres may read and write its tables$/),
      expect.stringMatching(/^ok: A process can open its 10 connections, of 300$/),
      'ok: There is no pooler',
      'ok: Notifications arrive',
      'ok: The time limit for statements is not set yet: the first start sets it',
      'ok: Times, numbers and bytes arrive in the form that Catenary reads',
      'ok: Tables are in the schema public',
      'ok: The connection stays on this machine, without TLS',
    ])
  })

  test('whose rows were moved to another one, or were about to be', async () => {
    const url = await createServerDatabase()
    const moved = { id: 'a', to: 'embedded', at: '2026-11-24T03:00:00.000Z', isOver: true }
    const mark = (value: object) =>
      change(
        url,
        `insert into settings (key, value) values ('moved', '${JSON.stringify(value)}')
          on conflict (key) do update set value = excluded.value`,
      )
    await mark(moved)
    const { findings } = await checkDatabase(readSettings({ DATABASE_URL: url }))
    expect(findings).toContainEqual({
      grade: 'problem',
      text: 'This database was moved to an embedded database on 2026-11-24T03:00:00.000Z',
      todo: expect.stringMatching(/^Start Catenary with that one, or .*"catenary start --reopen"\.$/),
    })
    await mark({ ...moved, isOver: false })
    expect(await check({ DATABASE_URL: url })).toContain('problem: A move of this database was cut short')
  })

  test('whose tables are behind, of a newer version, or from before the first', async () => {
    const url = await createServerDatabase()
    // The steps that a start does in the database that the commit 299abfa2 left.
    await change(url, `delete from drizzle.__drizzle_migrations where created_at > ${BASELINE}`)
    expect(await check({ DATABASE_URL: url })).toContainEqual(
      expect.stringMatching(
        /^warning: The tables are \d+ migrations? behind this version: the next start updates/,
      ),
    )
    await change(url, 'update drizzle.__drizzle_migrations set created_at = id')
    expect(await check({ DATABASE_URL: url })).toContain('problem: The tables are from before Catenary 0.1.0')
    await change(
      url,
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)`,
    )
    expect(await check({ DATABASE_URL: url })).toContain(
      'problem: The tables belong to a newer Catenary than this one',
    )
  })

  test('that is empty, in another encoding, or only reads', async () => {
    const empty = await createServerDatabase({ migrated: false })
    expect(await check({ DATABASE_URL: empty })).toEqual(
      expect.arrayContaining([
        'ok: It is empty: the first start creates the tables',
        'ok: The extension pg_trgm, which search needs, is available: the first start installs it',
      ]),
    )
    const latin = await createServerDatabase({ migrated: false, encoding: 'LATIN1' })
    expect(await check({ DATABASE_URL: latin })).toContainEqual(
      expect.stringMatching(/^problem: The database is encoded in LATIN1/),
    )
    const name = new URL(empty).pathname.slice(1)
    await change(empty, `alter database ${name} set default_transaction_read_only = on`)
    expect(await check({ DATABASE_URL: empty })).toContain('problem: It is read-only, like a standby')
  })

  test('`doctor` reports a database’s version, encoding, tables, speed, clock and pooler, whether it takes writes, notifies and ends statements, what its role may do, and whether it has room for connections.', async () => {
    const url = await createServerDatabase()
    const guest = await createRole(
      url,
      'grant usage on schema drizzle to',
      'grant select on all tables in schema drizzle to',
      'grant select on settings to',
    )
    const said = await check({ DATABASE_URL: guest, DATABASE_POOL: '300' })
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^problem: The role role_\w+ may not read and write \d+ of the \d+ tables/),
        expect.stringMatching(
          /^problem: This process takes up to 302 connections .* max_connections leaves only 297$/,
        ),
      ]),
    )
  })

  test('whose DATABASE_DIRECT_URL leads to another database', async () => {
    const env = {
      DATABASE_URL: await createServerDatabase(),
      DATABASE_DIRECT_URL: await createServerDatabase(),
    }
    const { findings } = await checkDatabase(readSettings(env))
    expect(findings).toContainEqual({
      grade: 'problem',
      text: expect.stringMatching(
        /^Notifications of other processes don’t arrive: DATABASE_DIRECT_URL leads to/,
      ),
      todo: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    })
  })

  test('whose DATABASE_DIRECT_URL leads nowhere', async () => {
    const DATABASE_DIRECT_URL = 'postgres://nobody@127.0.0.1:1/none'
    expect(await check({ DATABASE_URL: await createServerDatabase(), DATABASE_DIRECT_URL })).toEqual([
      expect.stringMatching(
        /^problem: It can’t be reached\. The database \S+ at \S+ \(DATABASE_DIRECT_URL\) refuses connections/,
      ),
    ])
  })

  test('that is not there, or has no such database', async () => {
    expect(await check({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toEqual([
      expect.stringMatching(
        /^problem: It can’t be reached\. The database \S+ at \S+ \(DATABASE_URL\) refuses connections/,
      ),
    ])
    const url = new URL(await createServerDatabase({ migrated: false }))
    url.pathname = '/no_such_database'
    expect(await check({ DATABASE_URL: url.href })).toEqual([
      expect.stringMatching(/no_such_database at \S+ \(DATABASE_URL\) does not exist/),
    ])
  })
})

describe('the embedded one', () => {
  test('is opened where nothing else has it, and left alone where a program has', async () => {
    const dataDir = await createDataDirectory()
    made.push(dataDir)
    expect(await check({ DATA_DIR: dataDir })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ok: The embedded PostgreSQL \d+/),
        'ok: The tables match this version',
      ]),
    )
    const lock = lockDirectory(dataDir)
    expect(await check({ DATA_DIR: dataDir })).toEqual([
      `ok: Catenary runs on the embedded database in ${dataDir}`,
      'not asked: Its version, tables and speed can be checked while Catenary is stopped',
    ])
    lock.release()
  })

  test('is not created by the check', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'catenary-doctor-'))
    made.push(dataDir)
    const said = ['ok: There is no database yet: the first start creates the embedded one']
    expect(await check({ DATA_DIR: dataDir })).toEqual(said)
    expect(await check({ DATA_DIR: dataDir })).toEqual(said)
  })
})
