import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { createDataDirectory } from '../../testing/database.ts'
import { writeBackupFile } from './backup-file.ts'
import { type BackupAbout, BackupFileError } from './backup-format.ts'
import type { BackupPart, BackupSource } from './backup-parts.ts'
import { copyEmbedded } from './embedded-copy.ts'
import { packBackup } from './pack-backup.ts'
import { openBackup, verifyBackup } from './read-backup.ts'
import { restoreFiles } from './restore-files.ts'
import { withBackup } from './with-backup.ts'

/** More than a database keeps by itself; when thorough, 240 MB. */
const SEGMENTS = inject('everyDatabase') ? 15 : 6

let work: string
let dataDir: string
let database: DatabaseClient
/** A backup of the database as it is at first. */
let whole: string
beforeAll(async () => {
  dataDir = await createDataDirectory()
  work = mkdtempSync(path.join(path.dirname(dataDir), 'backups-'))
  database = await openDatabase({ dataDir, fsync: false })
  whole = await backUp('whole')
})
afterAll(async () => {
  await database.close()
  for (const directory of [dataDir, work]) rmSync(directory, { recursive: true, force: true })
})

const place = (name: string) => path.join(work, name)

async function request() {
  const schema = await readSchemaNumber(database.pool)
  return { reason: 'by hand', schema, keyFingerprint: null } as const
}

async function backUp(name: string): Promise<string> {
  const file = place(name)
  await withBackup({ database, ...(await request()) }, (bytes) => writeBackupFile({ file, bytes }))
  return file
}

/** A file that is as it was written, of whatever `source` gives. */
async function forge(name: string, source: BackupSource): Promise<string> {
  const about: BackupAbout = {
    ...(await request()),
    ...{ format: 1, kind: source.kind, program: 'test', takenAt: new Date().toISOString(), postgres: '18' },
  }
  const file = place(name)
  await writeBackupFile({ file, bytes: packBackup({ about, source }) })
  return file
}

const copy = (): BackupSource => {
  const { directory, withoutLimit } = database
  return copyEmbedded({ directory: directory ?? '', withSession: withoutLimit })
}

async function restore({ file, name }: { file: string; name: string }) {
  const backup = await openBackup(file)
  const target = place(name)
  const restored = await restoreFiles({ backup, dataDir: target, fsync: false, resumeWork: false })
  return { target, ...restored }
}

async function read<Row>(target: string, query: string): Promise<Row[]> {
  const restored = await openDatabase({ dataDir: target, fsync: false })
  try {
    return (await restored.pool.query({ text: query, rowMode: 'array' })).rows.flat()
  } finally {
    await restored.close()
  }
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(BackupFileError)
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

async function* inTheMiddle(parts: AsyncIterable<BackupPart>, happens: () => Promise<void>) {
  let at = 0
  for await (const part of parts) {
    at += 1
    if (at === 500) await happens()
    yield part
  }
}

test('A backup is made while people write; it has all that was answered before it began and nothing half, and counts exactly the rows that it opens with.', async () => {
  const answered: number[] = []
  let isWriting = true
  const write = async (writer: number) => {
    for (let round = 0; isWriting; round += 1) {
      const key = writer * 1_000_000 + round
      await database.pool.query(
        `insert into settings (key, value) select $1 || '-' || half, '"half"' from generate_series(1, 2) as half`,
        [`pair-${key}`],
      )
      answered.push(key)
    }
  }
  const writers = [1, 2, 3].map(write)
  await expect.poll(() => answered.length).toBeGreaterThan(20)
  const before = [...answered]
  const source = copy()
  const parts = inTheMiddle(source.parts, async () => {
    // 16 MB of the log each, which a checkpoint would use again.
    for (let segment = 0; segment < SEGMENTS; segment += 1) {
      await database.pool.query('select pg_switch_wal()')
      await database.pool.query('checkpoint')
      await expect.poll(() => answered.length).toBeGreaterThan(before.length + segment)
    }
  })
  const file = await forge('busy', { ...source, parts })
  isWriting = false
  await Promise.all(writers)

  const { manifest } = await verifyBackup(file)
  expect(
    Object.keys(manifest.parts).filter((name) => name.includes('pg_wal/0')).length,
  ).toBeGreaterThanOrEqual(SEGMENTS)
  const { target, rows } = await restore({ file, name: 'restored-busy' })
  expect(rows).toBe(manifest.rows)
  const keys = await read<string>(target, `select key from settings where key like 'pair-%'`)
  expect(keys.length).toBe(manifest.tables.settings?.rows)
  const found = new Set(keys)
  expect(before.filter((key) => !found.has(`pair-${key}-1`))).toEqual([])
  expect(keys.filter((key) => !found.has(key.replace(/.$/, (half) => String(3 - Number(half)))))).toEqual([])
})

test('it is refused in one line with any byte changed', async () => {
  const bytes = readFileSync(whole)
  const places = Array.from({ length: 44 }, (_, at) => Math.floor((at * (bytes.length - 1)) / 43))
  for (const at of places) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    const file = place('changed')
    writeFileSync(file, changed)
    expect(await refusal(verifyBackup(file)), `byte ${at}`).toMatch(
      /was changed|is not a Catenary backup|newer format/,
    )
  }
  const file = place('changed')
  await refusal(openBackup(file))
})

test('A file that was cut short or changed, is foreign, of a newer format or version, or needs another key, is refused in one line.', async () => {
  const bytes = readFileSync(whole)
  const file = place('cut')
  for (const length of [10, 18, 19, 40, 51, bytes.length / 2, bytes.length - 32, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length))
    expect(await refusal(verifyBackup(file)), `${length} bytes`).toMatch(/is cut off/)
  }
  for (const foreign of ['', 'PK\u0003\u0004 something else', 'CATENARY', 'x'.repeat(100_000)]) {
    writeFileSync(file, foreign)
    expect(await refusal(verifyBackup(file))).toMatch(/is not a Catenary backup|is cut off/)
  }
  writeFileSync(file, `CATENARY BACKUP 2\n${'x'.repeat(100)}`)
  expect(await refusal(verifyBackup(file))).toContain('newer format')
  expect(await refusal(verifyBackup(place('nowhere')))).toContain('There is no file')
  expect(await refusal(verifyBackup(work))).toContain('is not a file')
})

test.each([
  '../outside',
  'database/../../outside',
  '/outside',
  'database/.hidden',
  'rows/users/000001.jsonl',
  'about.json',
])('one that somebody made with a part called %s is refused, and nothing of it is kept', async (name) => {
  const content = Buffer.from('x')
  async function* parts() {
    yield { name: 'database/PG_VERSION', size: 1, content }
    yield { name, size: 1, content }
  }
  const file = await forge('forged', { kind: 'files', parts: parts(), tables: () => ({}) })
  const target = place('forged-target')
  expect(await refusal(restore({ file, name: 'forged-target' }))).toContain(`a backup has no “${name}” there`)
  expect(readdirSync(target)).toEqual(['lock'])
  expect(existsSync(place('outside'))).toBe(false)
  for (const left of [file, target]) rmSync(left, { recursive: true })
})

test('one whose rows are not those of its manifest is not restored', async () => {
  const source = copy()
  const tables = () => ({ ...source.tables(), settings: { rows: 1_000_000 } })
  const file = await forge('other-counts', { ...source, tables })
  expect(await refusal(restore({ file, name: 'other-counts-target' }))).toMatch(
    /its table settings has \d+ rows/,
  )
  expect(readdirSync(place('other-counts-target'))).toEqual(['lock'])
})

test('A restored copy has no sessions, its tokens are off, and it says what was pending.', async () => {
  await database.pool.query(`
    insert into users (name, email, username, display_username) values ('q', 'q@example.org', 'q', 'Q');
    insert into sessions (user_id, token, expires_at) select id, 'token', now() + interval '1 day' from users;
    insert into api_tokens (kind, created_by, name, prefix, sha256) select 'read', id, 't', 'p', 's' from users;
    insert into executions (kind, user_id, status, step_count) select 'prompt', id, 'running', 1 from users`)
  const file = await backUp('with-work')
  const { target, pending } = await restore({ file, name: 'quiet' })
  expect(pending).toMatchObject({ schedules: 0, mails: 0, runs: 1 })
  const quiet = await read<{ from: string }>(target, `select value from settings where key = 'quiet'`)
  expect(quiet).toEqual([{ from: 'restore', since: expect.any(String), pending }])
  expect(await read(target, 'select count(*)::int from sessions')).toEqual([0])
  expect(await read(target, 'select expires_at <= now() from api_tokens')).toEqual([true])

  const backup = await openBackup(file)
  const going = place('going')
  await restoreFiles({ backup, dataDir: going, fsync: false, resumeWork: true })
  expect(await read(going, `select value from settings where key = 'quiet'`)).toEqual([])
  expect(await read(going, 'select count(*)::int from sessions')).toEqual([0])
})

test('it goes only where no database is, and removes what an earlier try left', async () => {
  const left = path.join(place('occupied'), 'restoring', 'database')
  mkdirSync(left, { recursive: true })
  writeFileSync(path.join(left, 'PG_VERSION'), 'half')
  await restore({ file: whole, name: 'occupied' })
  expect(readdirSync(place('occupied')).toSorted()).toEqual(['database', 'lock'])
  expect(await refusal(restore({ file: whole, name: 'occupied' }))).toContain(
    'There is already a database in',
  )
  await expect(
    restoreFiles({ backup: await openBackup(whole), dataDir, fsync: false, resumeWork: false }),
  ).rejects.toThrow('already in use')
})

test('one at a time; whoever gives up half-way leaves nothing behind', async () => {
  const slots = async () => (await database.pool.query('select slot_name from pg_replication_slots')).rows
  const first = copy().parts[Symbol.asyncIterator]()
  await first.next()
  expect(await refusal(backUp('second'))).toContain('A backup is already being made')
  expect(await slots()).toHaveLength(1)
  expect(readdirSync(work).filter((name) => name.startsWith('second'))).toEqual([])
  await first.return?.()
  expect(await slots()).toEqual([])

  const given = withBackup({ database, ...(await request()) }, async (bytes) => {
    for await (const _chunk of bytes) throw new Error('the disk is full')
  })
  await expect(given).rejects.toThrow('the disk is full')
  await expect.poll(slots).toEqual([])
  await verifyBackup(await backUp('afterwards'))
})
