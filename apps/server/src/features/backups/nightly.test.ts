import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { backups, users } from '../../database/schema/index.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import { type BackupTask, sendTask } from './backup-tasks.ts'
import { writeCopy } from './copies.sql.ts'
import { drillBackup } from './drill-copy.ts'
import { beginDailyCopy, beginMissedDrill, listForeignCopies } from './nightly.ts'

const PATIENCE_MS = 300_000

let place: string
let app: TestApp
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'nightly-'))
  app = await startApp()
}, PATIENCE_MS)
afterAll(async () => {
  await app?.close()
  rmSync(place, { recursive: true, force: true })
})
afterEach(async () => {
  await app.db.delete(backups)
})

/** What waits, as nothing works there; it is taken away. */
async function takeBegun(): Promise<unknown[]> {
  const { rows } = await app.client.pool.query<{ payload: unknown }>(
    `delete from jobs where queue = 'backup' returning payload`,
  )
  return rows.map(({ payload }) => payload)
}

/** What is begun at that time. */
async function begunAt(time: string): Promise<unknown[]> {
  const settings = { backups: { directory: place, time: '03:00', command: undefined } }
  const ctx = { ...app.ctx, settings: { ...app.ctx.settings, ...settings }, now: () => new Date(time) }
  await beginDailyCopy(ctx, { timeZone: 'Europe/Berlin' })
  return takeBegun()
}

test(
  'the first copy is due the night after the first account, and one more each night',
  async () => {
    const daily = [{ what: 'copy', reason: 'daily' }]
    expect(await begunAt('2026-11-24T12:00:00Z')).toEqual([])
    const { user } = await app.registerUser()
    const createdAt = new Date('2026-11-23T10:00:00Z')
    await app.db.update(users).set({ createdAt }).where(eq(users.id, user.id))
    expect(await begunAt('2026-11-23T23:00:00Z')).toEqual([])
    expect(await begunAt('2026-11-24T01:59:00Z')).toEqual([])
    expect(await begunAt('2026-11-24T02:00:00Z')).toEqual(daily)
    const copy = { reason: 'daily', program: '1', takenAt: new Date('2026-11-24T02:00:05Z') } as const
    await app.db.insert(backups).values({ ...copy, state: 'failed', problem: 'No room' })
    expect(await begunAt('2026-11-24T20:00:00Z')).toEqual([])
    // It did not run for two nights.
    expect(await begunAt('2026-11-27T09:00:00Z')).toEqual(daily)
    // One of a clock that was ahead is none of tonight.
    await app.db.insert(backups).values({ ...copy, state: 'kept', takenAt: new Date('2026-12-24T02:00:05Z') })
    expect(await begunAt('2026-11-28T02:00:00Z')).toEqual(daily)
  },
  PATIENCE_MS,
)

test(
  'a file that someone put into the folder is listed, one that is no copy is not',
  async () => {
    const file = path.join(place, 'before-migration-3.catenary')
    const keyFingerprint = '0'.repeat(64)
    const made = await writeCopy({ database: app.client, file, reason: 'before migration', keyFingerprint })
    copyFileSync(file, path.join(place, 'half.catenary.new'))
    writeFileSync(path.join(place, 'else.catenary'), 'something else')
    const refused = new Set<string>()
    const list = () => listForeignCopies(app.ctx, { directory: place, refused })
    await list()
    await list()
    expect([...refused]).toEqual(['else.catenary'])
    expect(await app.db.select().from(backups)).toMatchObject([
      { name: 'before-migration-3.catenary', reason: 'before migration', state: 'kept', ...made },
    ])
  },
  PATIENCE_MS,
)

test('a newest copy that nobody tried is tried, once and while it is there', async () => {
  const now = () => new Date('2026-11-24T12:00:00Z')
  const begin = () => beginMissedDrill({ ...app.ctx, now }, { directory: place })
  const begun = async () => {
    await begin()
    return takeBegun()
  }
  const copy = { reason: 'daily', program: '1', state: 'kept' } as const
  await app.db
    .insert(backups)
    .values({ ...copy, name: 'old.catenary', takenAt: new Date('2026-11-22T02:00:00Z') })
  writeFileSync(path.join(place, 'old.catenary'), 'a copy')
  expect(await begun()).toEqual([])
  const [row] = await app.db
    .insert(backups)
    .values({ ...copy, name: 'new.catenary', takenAt: new Date('2026-11-24T02:00:00Z') })
    .returning()
  expect(await begun()).toEqual([])
  writeFileSync(path.join(place, 'new.catenary'), 'a copy')
  await app.db
    .insert(backups)
    .values({ ...copy, name: 'ahead.catenary', takenAt: new Date('2026-12-24T02:00:00Z') })
  expect(await begun()).toEqual([{ what: 'drill', id: row?.id }])
  const copying: BackupTask = { what: 'copy', reason: 'by hand' }
  await sendTask(app.ctx, copying)
  expect(await begun()).toEqual([copying])
})

test('A trial that was not begun, as its process ended before, is begun by the next look.', async () => {
  const [row] = await app.db
    .insert(backups)
    .values({
      reason: 'daily',
      program: '1',
      state: 'kept',
      name: 'of-tonight.catenary',
      takenAt: new Date(),
    })
    .returning()
  const ctx = { ...app.ctx, settings: { ...app.ctx.settings, dataDir: place } }
  const { signal } = new AbortController()
  const wanted = { id: row?.id ?? 0, directory: place, signal, freeMemory: () => 150_000_000 }
  await drillBackup(ctx, wanted)
  const [tried] = await app.db.select().from(backups).where(eq(backups.name, 'of-tonight.catenary'))
  expect(tried?.drill).toMatchObject({
    state: 'failed',
    problem: 'There is not enough memory to test it: that takes at least 200 MB, and 150 MB are free',
  })
})
