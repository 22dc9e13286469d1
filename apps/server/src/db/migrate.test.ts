import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds, openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type DatabaseClient, openDatabase } from './client.ts'
import { migrate, NewerSchemaError } from './migrate.ts'

const OWN = fileURLToPath(new URL('./migrations', import.meta.url))

/** A migrated database, and a copy of the program's migrations to add to. */
function useMigrations(kind: DatabaseClient['kind']) {
  let database: TestDatabase
  let migrationsFolder: string

  beforeEach(async () => {
    database = await openTestDatabase(kind)
    migrationsFolder = mkdtempSync(path.join(tmpdir(), 'catenary-migrations-'))
    cpSync(OWN, migrationsFolder, { recursive: true })
  })
  afterEach(async () => {
    await database.close()
    rmSync(migrationsFolder, { recursive: true })
  })

  return {
    client: () => database.client,
    add: (sql: string) => addMigration({ migrationsFolder, sql }),
    upgrade: () => migrate({ database: database.client, migrationsFolder }),
    correctLast: (sql: string) => writeFileSync(path.join(migrationsFolder, lastFile(migrationsFolder)), sql),
    hasTable: async (name: string) => {
      const { rows } = await database.client.pool.query('select to_regclass($1) is not null as found', [name])
      return rows[0].found
    },
  }
}

function readEntries(migrationsFolder: string) {
  return JSON.parse(readFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), 'utf8'))
}

function lastFile(migrationsFolder: string): string {
  return `${readEntries(migrationsFolder).entries.at(-1).tag}.sql`
}

function addMigration({ migrationsFolder, sql }: { migrationsFolder: string; sql: string }) {
  const journal = readEntries(migrationsFolder)
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: `${last.idx + 1}_added` })
  writeFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), JSON.stringify(journal))
  writeFileSync(path.join(migrationsFolder, lastFile(migrationsFolder)), sql)
}

describe.each(databaseKinds)('migrations on %s', (kind) => {
  const { client, add, upgrade, correctLast, hasTable } = useMigrations(kind)

  it('run once, however many start at the same time', async () => {
    add('create table added (id int)')
    await Promise.all([upgrade(), upgrade(), upgrade()])
    await upgrade()
    expect(await hasTable('added')).toBe(true)
  })

  it('leave nothing behind when one fails, and can run again', async () => {
    add('create table added (id int)')
    add('select 1 / 0')
    await expect(upgrade()).rejects.toThrow()
    expect(await hasTable('added')).toBe(false)
    correctLast('select 1')
    await upgrade()
    expect(await hasTable('added')).toBe(true)
  })

  it('refuse a database that a newer program has migrated', async () => {
    add('create table added (id int)')
    await upgrade()
    const olderProgram = migrate({ database: client() })
    await expect(olderProgram).rejects.toThrow(NewerSchemaError)
    await expect(olderProgram).rejects.toThrow('newer version of Catenary')
  })
})

describe('the copy before a migration', () => {
  const { client, add, upgrade } = useMigrations('embedded')

  it('is made of an embedded database with data, if there is something to do', async () => {
    const { directory, pool } = client()
    const backups = path.join(path.dirname(directory ?? ''), 'backups')
    await pool.query("insert into categories (name) values ('precious')")
    await upgrade()
    expect(existsSync(backups)).toBe(false)
    add('drop table categories cascade')
    await upgrade()

    const restored = mkdtempSync(path.join(tmpdir(), 'catenary-restored-'))
    const [name = ''] = readdirSync(backups)
    expect(name).toMatch(/^before-migration-\d+$/)
    cpSync(path.join(backups, name), path.join(restored, 'database'), { recursive: true })
    const copy = await openDatabase({ dataDir: restored, fsync: false })
    const { rows } = await copy.pool.query('select name from categories')
    expect(rows).toEqual([{ name: 'precious' }])
    await copy.close()
    rmSync(restored, { recursive: true })
  })
})
