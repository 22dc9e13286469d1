import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import type { DatabaseClient } from '../database/open/client.ts'
import { upgradeDatabase } from '../keeping/upgrade/upgrade-database.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

const OWN = fileURLToPath(new URL('../database/migrations', import.meta.url))

/** A migrated database, and a copy of the program's migrations to add to; a table that they create is called `added`. */
export function useMigrations(kind: DatabaseClient['kind']) {
  let database: TestDatabase
  let migrationsFolder: string

  beforeEach(async () => {
    database = await openTestDatabase(kind)
    migrationsFolder = mkdtempSync(path.join(tmpdir(), 'catenary-migrations-'))
    cpSync(OWN, migrationsFolder, { recursive: true })
  })
  afterEach(async () => {
    await takeBack(database)
    await database.close()
    rmSync(migrationsFolder, { recursive: true })
  })

  return {
    client: () => database.client,
    folder: () => migrationsFolder,
    add: (sql: string) => addMigration({ migrationsFolder, sql }),
    upgrade: (options: Pick<Parameters<typeof upgradeDatabase>[0], 'backups' | 'log'> = {}) =>
      upgradeDatabase({ database: database.client, migrationsFolder, ...options }),
    correctLast: (sql: string) => writeFileSync(path.join(migrationsFolder, lastFile(migrationsFolder)), sql),
    hasTable: async (name: string) => {
      const { rows } = await database.client.pool.query('select to_regclass($1) is not null as found', [name])
      return rows[0].found
    },
  }
}

function readJournal(migrationsFolder: string) {
  return JSON.parse(readFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), 'utf8'))
}

function lastFile(migrationsFolder: string): string {
  return `${readJournal(migrationsFolder).entries.at(-1).tag}.sql`
}

function addMigration({ migrationsFolder, sql }: { migrationsFolder: string; sql: string }) {
  const journal = readJournal(migrationsFolder)
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: `${last.idx + 1}_added` })
  writeFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), JSON.stringify(journal))
  writeFileSync(path.join(migrationsFolder, lastFile(migrationsFolder)), sql)
}

/** As it was opened, for the next suite: opening another takes longer than most migrations. */
async function takeBack({ client: { directory, pool } }: TestDatabase) {
  const { when } = readJournal(OWN).entries.at(-1)
  await pool.query(`
    drop table if exists added;
    delete from drizzle.__drizzle_migrations where created_at > ${when}`)
  if (directory !== null) rmSync(backupsOf(directory), { recursive: true, force: true })
}

/** Where the copies before migrations of an embedded database are. */
export function backupsOf(directory: string): string {
  return path.join(path.dirname(directory), 'backups')
}
