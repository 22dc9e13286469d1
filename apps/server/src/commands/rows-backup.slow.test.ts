import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open/client.ts'
import { writeBackupFile } from '../keeping/backup/backup-file.ts'
import type { BackupAbout } from '../keeping/backup/backup-format.ts'
import { packBackup } from '../keeping/backup/pack-backup.ts'
import { createEmptyDirectory, createServerDatabase } from '../testing/database.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'
import { verify } from './verify.ts'

const PATIENCE_MS = 120_000
const KEY = 'the-key-of-this-test-has-more-than-32-characters'

let work: string
let databaseUrl: string
beforeAll(async () => {
  work = await createEmptyDirectory()
  databaseUrl = await createServerDatabase()
  await query(databaseUrl, `insert into categories (name) values ('precious')`)
}, PATIENCE_MS)
afterAll(() => rmSync(work, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const place = (name: string) => path.join(work, name)

async function query(url: string, text: string): Promise<unknown[]> {
  const database = await openDatabase({ databaseUrl: url, dataDir: '', fsync: false })
  try {
    return (await database.pool.query(text)).rows
  } finally {
    await database.close()
  }
}

function putSettings(settings: { url?: string; dataDir: string; key?: string }): void {
  vi.stubEnv('DATABASE_URL', settings.url)
  vi.stubEnv('DATA_DIR', settings.dataDir)
  vi.stubEnv('SECRET_KEY', settings.key ?? KEY)
}

const PRECIOUS = `select name from categories where name = 'precious'`

test(
  'The commands back up and restore by the settings. A wrong key, a newer version, a place that is not empty and tables of others are refused with a sentence.',
  async () => {
    const file = place('made')
    putSettings({ url: databaseUrl, dataDir: place('none') })
    expect(await backUp(file, {})).toMatch(
      /^Wrote a backup of [\d.]+ [kM]B to .*\.\n.*Keep SECRET_KEY as well/,
    )
    expect(await verify(file)).toMatch(
      /is intact: .* rows in \d+ tables\.\nA PostgreSQL, copied .*\nThe key that it needs is/,
    )

    const url = await createServerDatabase({ migrated: false })
    putSettings({ url, dataDir: place('none') })
    const said = await restore(file, {})
    expect(said).toMatch(/ rows to the PostgreSQL of DATABASE_URL, as they were/)
    expect(said).not.toContain(url)
    expect(await query(url, PRECIOUS)).toHaveLength(1)
    await expect(restore(file, {})).rejects.toThrow('already has tables')

    putSettings({ dataDir: place('embedded') })
    expect(await restore(file, { resumeWork: true })).toContain(`rows to ${place('embedded')}`)
    const embedded = await openDatabase({ dataDir: place('embedded'), fsync: false })
    expect((await embedded.pool.query(PRECIOUS)).rows).toHaveLength(1)
    await embedded.close()
    await expect(restore(file, {})).rejects.toThrow('There is already a database in')
  },
  PATIENCE_MS,
)

test(
  'a copy of another key or of a newer version is refused, and nothing is left',
  async () => {
    const file = place('refused')
    putSettings({ url: databaseUrl, dataDir: place('none') })
    await backUp(file, {})
    const url = await createServerDatabase({ migrated: false })
    for (const target of [{ url }, {}]) {
      putSettings({ ...target, dataDir: place('refusing'), key: `${KEY}-other` })
      await expect(restore(file, {})).rejects.toThrow(
        'was made with a different SECRET_KEY from the one set here',
      )
    }
    const about: BackupAbout = {
      ...({ format: 1, kind: 'rows', program: '9.0.0', reason: 'by hand', postgres: '18.6' } as const),
      ...{ schema: { applied: 1_000, last: 4_102_444_800_000 }, takenAt: new Date().toISOString() },
      keyFingerprint: null,
    }
    async function* parts() {}
    const bytes = packBackup({ about, source: { kind: 'rows', parts: parts(), tables: () => ({}) } })
    await writeBackupFile({ file: place('newer'), bytes })
    for (const target of [{ url }, {}]) {
      putSettings({ ...target, dataDir: place('refusing') })
      await expect(restore(place('newer'), {})).rejects.toThrow(
        'belongs to a newer version of Catenary, 9.0.0',
      )
    }
    expect(await query(url, `select from pg_tables where schemaname = 'public'`)).toEqual([])
    expect(readdirSync(work)).not.toContain('refusing')
  },
  PATIENCE_MS,
)

test(
  'a PostgreSQL in which someone else has tables is not copied, as it could not be restored',
  async () => {
    const url = await createServerDatabase()
    putSettings({ url, dataDir: place('none') })
    await query(url, 'create table invoices (id int)')
    await expect(backUp(place('shared'), {})).rejects.toThrow('has tables that are not Catenary’s: invoices.')
    await query(url, 'create schema others; alter table invoices set schema others')
    await backUp(place('shared'), {})
  },
  PATIENCE_MS,
)
