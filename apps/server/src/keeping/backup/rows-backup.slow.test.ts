import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { readMigrationState } from '../../database/open/migrate.ts'
import { flip, flipEachPart } from '../../testing/damaged-backups.ts'
import {
  createEmptyDirectory,
  createServerDatabase,
  openEmptyDatabase,
  upgradeDatabaseKinds,
} from '../../testing/database.ts'
import type { EvaluationLab } from '../../testing/evaluations.ts'
import { removeLargeFile, startFullDatabase } from '../../testing/full-database.ts'
import { writeBackupFile } from './backup-file.ts'
import type { BackupAbout } from './backup-format.ts'
import type { BackupSource } from './backup-parts.ts'
import { readContents } from './compare-tables.ts'
import { packBackup } from './pack-backup.ts'
import { openBackup, verifyBackup } from './read-backup.ts'
import { withRows } from './read-rows.ts'
import { restoreBackup } from './restore-backup.ts'
import { USE_TEXT_FORMS } from './row-lines.ts'
import { isWithoutTables } from './rows-catalog.ts'
import { withBackup } from './with-backup.ts'

const BASELINE = 1_795_744_629_351

const PATIENCE_MS = 300_000
vi.setConfig({ testTimeout: PATIENCE_MS })
const KEY = { keyFingerprint: null, reason: 'by hand' } as const
const MADE_BY_299ABFA2 = path.join(import.meta.dirname, '../../testing/copies/299abfa2.catenary')
const CHANGED_BY_RESTORES = ['api_tokens', 'sessions', 'settings']

let work: string
let lab: EvaluationLab
/** Of everything. */
let whole: string
/** Of what is small, for what is looked at many times. */
let light: string
beforeAll(async () => {
  work = await createEmptyDirectory()
  lab = await startFullDatabase('server')
  whole = await backUp(lab.client, 'whole')
  await removeLargeFile(lab)
  light = await backUp(lab.client, 'light')
}, PATIENCE_MS)
afterAll(async () => {
  await lab?.close()
  rmSync(work, { recursive: true, force: true })
})

const place = (name: string) => path.join(work, name)

async function backUp(database: DatabaseClient, name: string): Promise<string> {
  const file = place(name)
  await withBackup({ database, ...KEY }, (bytes) => writeBackupFile({ file, bytes }))
  return file
}

/** A file that is as it was written, of what `change` makes of the rows. */
const forge = (name: string, change: (source: BackupSource) => BackupSource): Promise<string> =>
  withRows(lab.client, async (source) => {
    const about: BackupAbout = {
      ...{ ...KEY, format: 1, kind: 'rows', program: 'test', postgres: '18' },
      ...{ schema: source.schema, takenAt: new Date().toISOString() },
    }
    const file = place(name)
    await writeBackupFile({ file, bytes: packBackup({ about, source: change(source) }) })
    return file
  })

interface Target {
  databaseUrl?: string
  dataDir: string
}

async function emptyTarget(kind: DatabaseClient['kind']): Promise<Target> {
  const dataDir = await createEmptyDirectory()
  return kind === 'embedded'
    ? { dataDir }
    : { dataDir, databaseUrl: await createServerDatabase({ migrated: false }) }
}

async function restore(file: string, target: Target) {
  const backup = await openBackup(file)
  try {
    return await restoreBackup({ backup, fsync: false, resumeWork: false, ...target })
  } finally {
    await backup.close()
  }
}

async function look<T>(target: Target, use: (database: DatabaseClient) => Promise<T>): Promise<T> {
  const database = await openDatabase({ fsync: false, ...target })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const contentsOf = ({ withoutLimit }: DatabaseClient) =>
  withoutLimit(async (client) => {
    await client.query('begin')
    await client.query(USE_TEXT_FORMS)
    const contents = await readContents(client)
    await client.query('commit')
    return contents
  })

const without = <T>(tables: Record<string, T>, names: string[]) =>
  Object.fromEntries(Object.entries(tables).filter(([name]) => !names.includes(name)))

async function expectNothingIn(target: Target): Promise<void> {
  if (target.databaseUrl === undefined) expect(readdirSync(target.dataDir)).toEqual(['lock'])
  else expect(await look(target, ({ pool }) => isWithoutTables(pool))).toBe(true)
}

describe.each(upgradeDatabaseKinds)('a backup of a PostgreSQL, restored on %s', (kind) => {
  test('is whole, and has each row as it was; nobody is signed in, tokens are off, what was pending waits; it goes only where nothing is', async () => {
    const { about, manifest } = await verifyBackup(whole)
    expect(about.kind).toBe('rows')
    expect(Object.values(manifest.tables).every(({ sha256 }) => sha256 !== undefined)).toBe(true)
    const target = await emptyTarget(kind)
    const { rows, pending } = await restore(whole, target)
    expect(rows).toBe(manifest.rows)
    expect(pending.schedules).toBe(1)
    await look(target, async (database) => {
      const found = await contentsOf(database)
      expect(without(found, CHANGED_BY_RESTORES)).toEqual(without(manifest.tables, CHANGED_BY_RESTORES))
      expect(found.settings?.rows).toBe((manifest.tables.settings?.rows ?? 0) + 1)
      expect(manifest.tables.sessions?.rows).toBeGreaterThan(0)
      const { rows: quiet } = await database.pool.query(`
          select (select count(*)::int from sessions) as sessions,
            (select bool_and(expires_at <= now()) from api_tokens) as "areOff",
            (select value->'pending' from settings where key = 'quiet') as pending`)
      expect(quiet).toEqual([{ sessions: 0, areOff: true, pending }])
    })
    // The reserve is there once it was open for two seconds.
    const left = readdirSync(target.dataDir).filter((name) => name !== 'reserve')
    expect(left.toSorted()).toEqual(kind === 'embedded' ? ['database', 'lock'] : [])
    const again = kind === 'embedded' ? 'There is already a database in' : 'already has tables'
    await expect(restore(whole, target)).rejects.toThrow(again)
  })

  test('A database of the commit 299abfa2 opens as it is, and a copy of it is restored with every row. What is from before it is refused with the way: that commit once, then this one.', async () => {
    const { about, manifest } = await verifyBackup(MADE_BY_299ABFA2)
    expect(about).toMatchObject({ program: '0.1.0', schema: { applied: 1, last: BASELINE } })
    const target = await emptyTarget(kind)
    const stages: string[] = []
    const onStage = (stage: string, { found }: { found: string }) => void stages.push(`${stage}: ${found}`)
    const backup = await openBackup(MADE_BY_299ABFA2)
    const { rows } = await restoreBackup({ backup, fsync: false, resumeWork: true, onStage, ...target })
    expect(rows).toBe(manifest.rows)
    await look(target, async ({ pool }) => {
      const { applied, ...state } = await readMigrationState(pool)
      expect(state).toEqual({ missing: 0, unknown: 0, isOlder: false })
      const more = applied === 1 ? 'nothing to do' : `${applied - 1} more migrations`
      expect(stages.at(-1)).toBe(`migrated: schema ${applied}, ${more}`)
      const { rows: users } = await pool.query('select username from users order by id limit 1')
      expect(users).toEqual([{ username: 'olga' }])
    })
    const count = Object.keys(manifest.parts).length
    expect(stages[0]).toBe(`opened: ${count} of ${count} checksums match`)
    expect(stages[1]).toMatch(/^counted: [\d,]+ rows and the hashes of \d+ tables/)
  })

  test('that is not what it says is refused in one line, leaves nothing, and the next restore works', async () => {
    const target = await emptyTarget(kind)
    for (const { change, says } of FORGERIES) {
      const file = await forge('forged', change)
      const error: Error = await restore(file, target).then(
        () => expect.unreachable(String(says)),
        (reason) => reason,
      )
      expect(error.message).toMatch(says)
      expect(error.message).not.toContain('\n')
      await expectNothingIn(target)
      rmSync(file)
    }
    await restore(light, target)
  })
})

const FORGERIES: { change: (source: BackupSource) => BackupSource; says: RegExp }[] = [
  {
    change: (source) => ({
      ...source,
      tables: () => ({ ...source.tables(), users: { rows: 1, sha256: '0'.repeat(64) } }),
    }),
    says: /The table users has \d+ rows instead of 1/,
  },
  {
    change: (source) => ({ ...source, parts: withFirst(source.parts, 'rows/strangers/000001.jsonl') }),
    says: /an unexpected part: rows\/strangers/,
  },
  {
    change: (source) => ({ ...source, parts: withFirst(source.parts, 'rows/../../outside') }),
    says: /a backup has no “rows\/\.\.\/\.\.\/outside” there/,
  },
  {
    change: (source) => ({ ...source, parts: withoutRowsOf(source.parts, 'users') }),
    says: /rows that can’t be restored: .*foreign key/,
  },
]

async function* withFirst(parts: BackupSource['parts'], name: string) {
  const content = Buffer.from('["name"]\n')
  yield { name, size: content.length, content }
  yield* parts
}

async function* withoutRowsOf(parts: BackupSource['parts'], table: string) {
  for await (const part of parts) {
    if (!part.name.startsWith(`rows/${table}/`)) yield part
  }
}

test('A PostgreSQL is copied by its rows, with hashes that `verify` compares without a database; restored into either kind of database, each row is as it was. A flipped byte or rows that break a rule are refused in one line, and nothing is left.', async () => {
  const bytes = readFileSync(light)
  const file = place('flipped')
  const names: string[] = []
  for (const { name, bytes: changed } of flipEachPart(bytes, /^(rows\/\w+\/000001|sequences)/)) {
    writeFileSync(file, changed)
    if (name === '') await verifyBackup(file)
    else {
      names.push(name)
      await expect(verifyBackup(file), name).rejects.toThrow(/doesn’t match its manifest|middle of a line/)
    }
  }
  expect(names.length).toBeGreaterThan(30)
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
    writeFileSync(file, flip(bytes, at))
    await expect(verifyBackup(file), `byte ${at}`).rejects.toThrow(
      /was changed|is not a Catenary backup|newer format/,
    )
  }
  for (const length of [51, bytes.length >> 1, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length))
    await expect(openBackup(file), `${length} bytes`).rejects.toThrow('is cut off')
  }
})

test('a copy whose manifest has other rows than its lines is not whole', async () => {
  const other = (change: object) => (source: BackupSource) => ({
    ...source,
    tables: () => ({ ...source.tables(), users: { ...source.tables().users, rows: 1, ...change } }),
  })
  for (const change of [{}, { rows: 2, sha256: '0'.repeat(64) }]) {
    const file = await forge('promises', other(change))
    await expect(verifyBackup(file)).rejects.toThrow('the rows of its table users don’t match its manifest')
    rmSync(file)
  }
})

test('a copy of an embedded database’s files goes into no PostgreSQL, and says which way it gets there', async () => {
  const about: BackupAbout = {
    ...{ ...KEY, format: 1, kind: 'files', program: 'test', postgres: '18' },
    ...{ schema: { applied: 1, last: 1 }, takenAt: new Date().toISOString() },
  }
  const file = place('files')
  async function* parts() {}
  const source: BackupSource = { kind: 'files', parts: parts(), tables: () => ({}) }
  await writeBackupFile({ file, bytes: packBackup({ about, source }) })
  const target = await emptyTarget('server')
  const backup = await openBackup(file)
  expect(() => restoreBackup({ backup, fsync: false, resumeWork: false, ...target })).toThrow(
    /without DATABASE_URL, then "catenary move --to"/,
  )
  await backup.close()
})

test('a PostgreSQL without tables is not copied; a disk that is full leaves no file, and the next copy works', async () => {
  const empty = await openEmptyDatabase('server')
  await expect(backUp(empty, 'empty')).rejects.toThrow('There is nothing to copy')
  await empty.close()
  const given = withBackup({ database: lab.client, ...KEY }, async (bytes) => {
    for await (const _chunk of bytes) throw new Error('the disk is full')
  })
  await expect(given).rejects.toThrow('the disk is full')
  const open = async () => {
    const { rows } = await lab.client.pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`,
    )
    return rows[0]?.count
  }
  // The database ends a session a moment after it is left.
  await expect.poll(open).toBe(0)
  await verifyBackup(await backUp(lab.client, 'afterwards'))
})
